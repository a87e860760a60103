import Testing

@testable import RefreshableLists

struct ScriptPacksTests {
    private let packs = ScriptPacks(
        [
            "refreshable-list.js":
                "import { b } from './b.js';\nconst looks = import('./looks.js');\nexport class A {}\n",
            "b.js": "export const b = 1;\n",
            "looks.js": "import { b } from './b.js';\nimport { c, d } from './c.js';\nexport class Looks {}\n",
            "c.js": "import { b } from './b.js';\nexport const c = () => import('./languages.js'), d = 2;\n",
            "languages.js": "export const languages = {};\n",
            "page.js": "import './refreshable-list.js';\nimport { d } from './c.js';\nd();\n",
        ].mapValues { Array($0.utf8) }
    ).files.mapValues { String(decoding: $0, as: UTF8.self) }

    @Test func theElementsPackIsWhatItImports() {
        #expect(
            packs["refreshable-list.js"]
                == "export const b=1;const looks=import('./furniture.js');export class A {}")
    }

    @Test func whatIsWantedLaterIsAPackThatImportsTheFirst() {
        #expect(
            packs["furniture.js"]
                == "import { b } from './refreshable-list.js';export const c=()=>import('./languages.js'), d=2;"
                + "export class Looks {}")
    }

    @Test func otherScriptsImportFromThePacks() {
        #expect(
            packs["page.js"]
                == "import { d } from './furniture.js';import './refreshable-list.js';d();")
        #expect(packs["languages.js"] == "export const languages={};")
    }

    @Test func everyModuleIsDeliveredByItselfToo() {
        #expect(packs["looks.js"]?.hasPrefix("import { b } from './b.js';") == true)
    }
}
