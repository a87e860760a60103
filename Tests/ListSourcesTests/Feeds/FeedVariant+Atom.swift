extension FeedVariant {
    static let atom = [
        FeedVariant(
            "Atom",
            """
            <?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>News</title>
            <entry><id>urn:1</id><title>First</title><link rel="self" href="https://n.example/1.atom"/>
            <link href="https://n.example/1"/><updated>2026-11-19T09:30:15+01:00</updated><author><name>Ada</name></author>
            <summary>Some text</summary></entry></feed>
            """, "urn:1 | First | Some text | Ada | 1795077015000 | https://n.example/1 | -"),
        FeedVariant(
            "text means itself, html is in the text, xhtml in the elements",
            """
            <feed xmlns="http://www.w3.org/2005/Atom">
            <entry><id>1</id><title>5 &lt; 6</title></entry>
            <entry><id>2</id><title type="html">a &lt;b&gt;b&lt;/b&gt; &amp;amp; c</title></entry>
            <entry><id>3</id><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">x<p>y</p></div></title></entry></feed>
            """, "1 | 5 < 6 | - | - | - | - | -", "2 | a b & c | - | - | - | - | -", "3 | x y | - | - | - | - | -"),
        FeedVariant(
            "all names with a prefix",
            """
            <atom:feed xmlns:atom="http://www.w3.org/2005/Atom"><atom:entry><atom:id>1</atom:id><atom:title>T</atom:title>
            <atom:link rel="alternate" href="https://n.example/1"/></atom:entry></atom:feed>
            """, "1 | T | - | - | - | https://n.example/1 | -"),
        FeedVariant(
            "published before updated, a picture as enclosure, content alone",
            """
            <feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><title>T</title><updated>2026-11-20T00:00:00Z</updated>
            <published>2026-11-19T08:30:15Z</published><link rel="enclosure" type="image/png" href="https://i.example/e.png"/>
            <link rel="alternate" href="https://n.example/1"/><content type="html">&lt;p&gt;Whole&lt;/p&gt;</content></entry></feed>
            """, "1 | T | Whole | - | 1795077015000 | https://n.example/1 | https://i.example/e.png"),
        FeedVariant(
            "Atom 0.3",
            """
            <feed version="0.3" xmlns="http://purl.org/atom/ns#"><entry><id>1</id>
            <title mode="escaped" type="text/html">a &lt;i&gt;b&lt;/i&gt;</title><issued>2026-11-19T09:30:15+01:00</issued>
            <link rel="alternate" type="text/html" href="https://n.example/1"/></entry></feed>
            """, "1 | a b | - | - | 1795077015000 | https://n.example/1 | -"),
        FeedVariant(
            "no vocabulary at all, URLs that begin elsewhere",
            """
            <feed xml:base="https://n.example/blog/"><entry><id>1</id><title>T</title><link href="one"/></entry>
            <entry xml:base="https://m.example/"><id>2</id><title>U</title><link href="/two"/></entry></feed>
            """, "1 | T | - | - | - | https://n.example/blog/one | -", "2 | U | - | - | - | https://m.example/two | -"),
    ]

    static let others = [
        FeedVariant(
            "RSS 1.0: entries beside the channel",
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
            <channel rdf:about="https://n.example/"><title>News</title></channel>
            <item rdf:about="https://n.example/1"><title>First</title><link>https://n.example/1</link></item></rdf:RDF>
            """, "https://n.example/1 | First | - | - | - | https://n.example/1 | -"),
        FeedVariant(
            "JSON Feed 1.1",
            """
            {"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": [{"id": "1", "url": "https://n.example/1",
            "title": "5 < 6 & 7", "content_html": "<p>Some</p><p>text</p>", "date_published": "2026-11-19T08:30:15Z",
            "authors": [{"name": "Ada"}], "image": "https://i.example/1.png"}]}
            """, "1 | 5 < 6 & 7 | Some text | Ada | 1795077015000 | https://n.example/1 | https://i.example/1.png"),
        FeedVariant(
            "JSON Feed 1.0: a number for an id, an author, no title",
            """
            {"items": [{"id": 7, "content_text": "Only text", "author": {"name": "Grace"}, "external_url": "https://n.example/7"}]}
            """, "7 | Only text | - | Grace | - | https://n.example/7 | -"),
        FeedVariant(
            "JSON Feed of a podcast, a date that is none, an entry of another kind",
            """
            {"version": "https://jsonfeed.org/version/1.1", "next_url": "https://p.example/2", "items": [7, {}, {"id": "e",
            "title": "E", "summary": "S", "content_html": "<p>no</p><img src='https://i.example/e.png'>", "date_published": "soon",
            "tags": ["a", "b"], "attachments": [{"url": "https://p.example/e.mp3", "mime_type": "audio/mpeg"}]}]}
            """, "e | E | S | - | - | - | https://i.example/e.png"),
    ]
}
