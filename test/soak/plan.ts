/** The messages between the soak test and its load generator. */
import * as v from 'valibot'

export const planSchema = v.object({
  folder: v.string(),
  fontsFolder: v.string(),
  /** of the faulty network before the service */
  baseUrl: v.string(),
  /** of the faulty receipt printer on loopback */
  printerHost: v.string(),
  printerPort: v.number(),
  seed: v.number(),
  lookups: v.number(),
  slips: v.number(),
  /** leaks memory on purpose */
  leak: v.boolean()
})
export type Plan = v.InferOutput<typeof planSchema>

export const sampleSchema = v.object({
  kind: v.literal('sample'),
  lookups: v.number(),
  slips: v.number(),
  /** bytes in use after a garbage collection */
  heap: v.number(),
  /** handles of the event loop: sockets, timers, files */
  handles: v.number(),
  /** open file descriptors; null where the system has no list */
  descriptors: v.nullable(v.number())
})
/** The resources of the process at one moment, with nothing pending. */
export type Sample = v.InferOutput<typeof sampleSchema>

/** Parts of the work; a sample is taken after each. */
export const SEGMENTS = 40

/** Two hours of the simulated clock. */
export const SIMULATED_MS = 2 * 60 * 60_000
