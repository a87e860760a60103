/// The page that every server serves: the files of `Public`, which are part of the binary, so that a program that imports
/// this library has the page too.
enum Page {
    /// By the name under which a browser asks for them. `Scripts/embed` writes it; a test holds it to the folder.
    static let files: [String: [UInt8]] = [
        "anchor.js": PackageResources.anchor_js,
        "connection.js": PackageResources.connection_js,
        "controls.js": PackageResources.controls_js,
        "groups.js": PackageResources.groups_js,
        "icon.svg": PackageResources.icon_svg,
        "index.html": PackageResources.index_html,
        "indicator-styles.js": PackageResources.indicator_styles_js,
        "indicator.js": PackageResources.indicator_js,
        "looks.js": PackageResources.looks_js,
        "manifest.webmanifest": PackageResources.manifest_webmanifest,
        "more.js": PackageResources.more_js,
        "motion.js": PackageResources.motion_js,
        "page.css": PackageResources.page_css,
        "page.js": PackageResources.page_js,
        "pull.js": PackageResources.pull_js,
        "pulling.js": PackageResources.pulling_js,
        "reconnection.js": PackageResources.reconnection_js,
        "refreshable-list.js": PackageResources.refreshable_list_js,
        "replica.js": PackageResources.replica_js,
        "row-styles.js": PackageResources.row_styles_js,
        "row.js": PackageResources.row_js,
        "rows.js": PackageResources.rows_js,
        "scroller.js": PackageResources.scroller_js,
        "shown.js": PackageResources.shown_js,
        "styles.js": PackageResources.styles_js,
        "time.js": PackageResources.time_js,
        "touch.js": PackageResources.touch_js,
        "view.js": PackageResources.view_js,
        "watch.js": PackageResources.watch_js,
        "words.js": PackageResources.words_js,
    ]
}
