import { MediaQuery } from 'svelte/reactivity'

/**
 * A screen too small to show the slip beside the form, such as a 7-inch till. The style sheets use the same limits.
 */
export const COMPACT = new MediaQuery('(max-width: 900px), (max-height: 560px)')

/** A screen large enough for another column. */
export const WIDE = new MediaQuery('(min-width: 1600px) and (min-height: 900px)')

/** A touch screen is present. */
export const TOUCH = new MediaQuery('any-pointer: coarse')
