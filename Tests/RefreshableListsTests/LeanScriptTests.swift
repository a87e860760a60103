import Testing

@testable import RefreshableLists

struct LeanScriptTests {
    @Test(arguments: [
        ("const a = 1;\n", "const a = 1;\n"),
        ("// why\nconst a = 1; // stays\n", "const a = 1; // stays\n"),
        ("  if (a) {\n    b();\n  }\n\n", "if (a) {\nb();\n}\n"),
        ("/** @type {A} */ #a = 1;\n", "#a = 1;\n"),
        ("/** one */ /* two */ a();\n", "a();\n"),
        ("/**\n * A list.\n * @param {B} b\n */\nexport class A {}\n", "export class A {}\n"),
        ("/*\n a */ b();\n", "b();\n"),
        ("a(/* here */ b);\nc = d / e;\n", "a(/* here */ b);\nc = d / e;\n"),
        ("* 2;", "* 2;\n"),
        ("/* never closed\na();\n", ""),
        ("", ""),
    ])
    func commentsThatFillLinesAndIndentationAreLeftOut(script: String, lean: String) {
        let made = LeanScript.of(Array(script.utf8))

        #expect(String(decoding: made, as: UTF8.self) == lean)
    }

    @Test func linesAreJoinedWhereAStatementGoesOnOrEnds() {
        let joined = LeanScript.joined("f(\na,\nb\n);\nclass A {\nb = [\n1\n];\n}\nc\n")

        #expect(String(decoding: joined, as: UTF8.self) == "f(a,b\n);class A {b=[1\n];}c\n")
    }

    @Test func stylesLoseTheSpacesThatMeanNothing() {
        let joined = LeanScript.joined("a = { b: 1 };\nsheet(`\n.a :is(b, c) { d: e f; }\n.g { h: ${i} j }\n`);\n")

        #expect(String(decoding: joined, as: UTF8.self) == "a={ b: 1 };sheet(`\n.a :is(b,c){d:e f;}.g{h:${i} j }`);")
    }

    @Test func signsLoseTheSpacesAroundThem() {
        let joined = LeanScript.joined("a = (b) => c ?? d?.e;\nf ? -1 : g === h && i || j !== k;\na += 1 > 0\n")

        #expect(String(decoding: joined, as: UTF8.self) == "a=(b)=>c??d?.e;f?-1 : g===h&&i||j!==k;a += 1 > 0\n")
    }
}
