import ArgumentParser
import ListStorage

/// The report of `check --store` on all lists of a store.
enum StoreCheck {
    /// - Throws: `ExitCode`, where something is damaged or there is no store.
    static func run(_ place: StorePlace) async throws {
        let report: StoreReport
        do {
            let reader = try await place.reader(isAlone: false)
            report = try await StoreReport(of: reader)
            await reader.close()
        } catch {
            Console.warn(error.told)
            switch error {
            case .corrupt, .notAStore: throw ExitCode.failure
            default: throw ExitCode.noInput
            }
        }
        for list in report.lists { Console.say(list.line) }
        for fault in report.strays { Console.say("\(fault)") }
        guard report.faultCount > 0 else {
            return Console.say("All is as it was written: \(report.lists.count.counting("list")) in \(report.path).")
        }
        Console.say("\(report.faultCount.counting("fault")) in \(report.path).")
        throw ExitCode.failure
    }
}

extension StoreReport.List {
    fileprivate var line: String {
        switch rows {
        case .success(let count): "\(name): \(count.counting("row"))"
        case .failure(let fault): "\(fault)"
        }
    }
}

extension Int {
    /// `1 row`, `2 rows`.
    func counting(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
