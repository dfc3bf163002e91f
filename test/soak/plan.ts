/** What a soak is told, and what it tells: the words between the run and the till that it watches. */
import * as v from 'valibot'

export const planSchema = v.object({
  folder: v.string(),
  fontsFolder: v.string(),
  /** of the service, by way of a network that fails */
  baseUrl: v.string(),
  /** a receipt printer on loopback that fails */
  printerHost: v.string(),
  printerPort: v.number(),
  seed: v.number(),
  lookups: v.number(),
  slips: v.number(),
  /** keeps something of each slip on purpose, to see that it is found */
  leak: v.boolean()
})
export type Plan = v.InferOutput<typeof planSchema>

export const sampleSchema = v.object({
  kind: v.literal('sample'),
  lookups: v.number(),
  slips: v.number(),
  /** bytes in use after what nobody holds was collected */
  heap: v.number(),
  /** sockets, timers, files and other things that the event loop knows of */
  handles: v.number(),
  /** open file descriptors; null where the system does not tell */
  descriptors: v.nullable(v.number())
})
/** What a till used at one moment, with nothing under way. */
export type Sample = v.InferOutput<typeof sampleSchema>

/** Parts that the work is done in; after each one the till is looked at. */
export const SEGMENTS = 40

/** Two hours at a till, by its clock. */
export const SIMULATED_MS = 2 * 60 * 60_000
