/** What a message calls to be in sight: jsdom has no layout, and no scrolling. */
Element.prototype.scrollIntoView = () => undefined
