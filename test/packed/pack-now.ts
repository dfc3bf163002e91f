/** Packs the app for the tests. */
import { pack } from './pack.ts'

await pack()
