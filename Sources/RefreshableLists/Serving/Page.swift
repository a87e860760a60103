/// The page that every server serves: the files of `Resources`, which are part of the binary, so that a program that
/// imports this library has the page too.
enum Page {
    /// By the path at which a browser asks for them. `Scripts/bundle` writes it; a test holds it to the folder.
    static let files: [String: [UInt8]] = [
        "apple-touch-icon.png": PackageResources.apple_touch_icon_png,
        "custom-elements.json": PackageResources.custom_elements_json,
        "icon-192.png": PackageResources.icon_192_png,
        "icon-512.png": PackageResources.icon_512_png,
        "icon-maskable-512.png": PackageResources.icon_maskable_512_png,
        "icon.svg": PackageResources.icon_svg,
        "index.html": PackageResources.index_html,
        "kept.js": PackageResources.kept_js,
        "kept.js.map": PackageResources.kept_js_map,
        "language.js": PackageResources.language_js,
        "language.js.map": PackageResources.language_js_map,
        "languages.js": PackageResources.languages_js,
        "languages.js.map": PackageResources.languages_js_map,
        "local.js": PackageResources.local_js,
        "local.js.map": PackageResources.local_js_map,
        "looks.js": PackageResources.looks_js,
        "looks.js.map": PackageResources.looks_js_map,
        "manifest.webmanifest": PackageResources.manifest_webmanifest,
        "more.js": PackageResources.more_js,
        "more.js.map": PackageResources.more_js_map,
        "package.json": PackageResources.package_json,
        "page.css": PackageResources.page_css,
        "page.js": PackageResources.page_js,
        "page.js.map": PackageResources.page_js_map,
        "pulling.js": PackageResources.pulling_js,
        "pulling.js.map": PackageResources.pulling_js_map,
        "refreshable-list.d.ts": PackageResources.refreshable_list_d_ts,
        "refreshable-list.js": PackageResources.refreshable_list_js,
        "refreshable-list.js.map": PackageResources.refreshable_list_js_map,
        "sw.js": PackageResources.sw_js,
    ]
}
