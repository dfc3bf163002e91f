/** A program that packs the till for the tests, and ends. */
import { pack } from './pack.ts'

await pack()
