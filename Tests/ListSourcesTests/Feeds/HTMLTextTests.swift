import Testing

@testable import ListSources

struct HTMLTextTests {
    @Test(arguments: [
        ("<p>One</p><p>two</p>", "One two"), ("a<b>b</b>c", "abc"), ("5 < 6 &amp; 7", "5 < 6 & 7"),
        ("<script>x('<p>')</script>y<style>p{}</STYLE>", "y"), ("<!-- no -->yes", "yes"),
        ("a&nbsp;&#8212;&#x2014;b", "a ——b"), ("AT&T &unknown; &", "AT&T &unknown; &"),
        ("<a href='x>y'>z", "z"), ("a<unclosed", "a"), (" a\n\t b ", "a b"), ("&lt;b&gt;", "<b>"),
        ("&#0;&#xD800;&#xFFFFFFFFF;&#;&;", "&#xD800;&#xFFFFFFFFF;&#;&;"), ("a<br>b<hr/>c", "a b c"),
        ("<![CDATA[x]]>", "x"), ("<script>", ""), ("&yuml;&Agrave;&nbsp;&eacute;", "ÿÀ é"),
    ])
    func htmlIsReducedToItsText(html: String, text: String) {
        #expect(HTMLText.plain(html) == text)
    }

    @Test(
        arguments: [
            ("<p><IMG alt=x SRC='/a.png'></p>", "/a.png"), ("<img src=\"a?b=1&amp;c=2\">", "a?b=1&c=2"),
            ("<img width=1 height=1 src=count.gif><img src=b.png>", "b.png"), ("<img src='data:x'>", nil),
            ("<image src=a>", nil), ("<img", nil),
        ] as [(String, String?)])
    func thePictureIsTheFirstThatPeopleCanSee(html: String, url: String?) {
        #expect(HTMLText.firstImage(html) == url)
    }
}
