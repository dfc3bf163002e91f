import { MediaQuery } from 'svelte/reactivity'

/** A screen too small for the paper beside the work: the 7-inch till. The same bounds stand in the style sheets. */
export const COMPACT = new MediaQuery('(max-width: 900px), (max-height: 560px)')
