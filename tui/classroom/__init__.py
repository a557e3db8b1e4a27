"""For a class: the lecturer's screen in browsers, to be looked at (`--watch-me`), or an app for each (`--serve`)."""
