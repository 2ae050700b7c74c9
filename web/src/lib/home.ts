// Where the page's own files lie, and whether there is a server beside them.

const manifest = document.querySelector<HTMLLinkElement>('link[rel=manifest]')

/** The folder of the page, with a slash at its end. */
export const HOME = new URL('.', manifest?.href ?? new URL('/', location.href))

/** Whether the page is served as static files, without an API server. */
export const IS_ALONE = document.documentElement.hasAttribute('data-alone')
