/** What the Windows spooler answers, parsed at the door. */
import * as v from 'valibot'
import type { Ran } from '../run.ts'

const text = v.nullish(v.string(), '')

/** Windows PowerShell 5.1 writes some lists as `{ "value": […], "Count": n }`. */
const list = <Item extends v.GenericSchema>(item: Item) =>
  v.union([
    v.array(item),
    v.pipe(
      v.object({ value: v.array(item) }),
      v.transform(({ value }) => value)
    )
  ])

const queueSchema = v.object({
  Name: v.string(),
  Comment: text,
  Location: text,
  DriverName: text,
  /** names of MSFT_Printer.PrinterStatus, comma separated: `Normal`, `Paused, Offline` */
  Status: text,
  Offline: v.boolean(),
  Default: v.boolean(),
  /** a driver without forms has one null */
  Papers: v.pipe(
    list(v.nullable(v.string())),
    v.transform((names) => names.filter((name) => name !== null))
  )
})

export const queuesSchema = list(queueSchema)
export const jobsSchema = v.object({
  Queue: text,
  Jobs: list(v.object({ Id: v.number(), Status: text }))
})

export type WindowsQueue = v.InferOutput<typeof queueSchema>
export type WindowsJobs = v.InferOutput<typeof jobsSchema>

/** The answer of a script by its schema; null when the script failed or said something else. */
export function parseAnswer<Schema extends v.GenericSchema>(
  schema: Schema,
  { code, stdout }: Ran
): v.InferOutput<Schema> | null {
  if (code !== 0) return null
  const parsed = v.safeParse(v.pipe(v.string(), v.trim(), v.parseJson(), schema), stdout)
  return parsed.success ? parsed.output : null
}
