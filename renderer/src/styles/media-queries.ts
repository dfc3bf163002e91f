import { MediaQuery } from 'svelte/reactivity'

/** A screen too small for the paper beside the work: the 7-inch till. The same bounds stand in the style sheets. */
export const COMPACT = new MediaQuery('(max-width: 900px), (max-height: 560px)')

/** A large screen: there is room for a column beside the work. */
export const WIDE = new MediaQuery('(min-width: 1600px) and (min-height: 900px)')

/** Some pointer is a finger. */
export const TOUCH = new MediaQuery('any-pointer: coarse')
