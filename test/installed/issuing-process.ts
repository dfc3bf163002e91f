/**
 * Issues codes at a rate until its input ends. The arguments: a JSON text of what it reaches, and a pairing code. Each line that
 * it prints says how far it is; the last comes when all requests are answered.
 */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { SteadyIssuing } from '../support/steady-issuing.ts'

const REPORT_MS = 50

const reached = v.object({
  hosts: v.array(v.string()),
  port: v.number(),
  name: v.string(),
  authorityFile: v.string()
})

const [, , place = '', code = ''] = process.argv
const { authorityFile, ...service } = v.parse(reached, JSON.parse(place))
const load = await SteadyIssuing.start({ ...service, authority: await readFile(authorityFile) }, code)

const report = (): void => {
  const { begun, held, failures, longestMs, codes } = load
  process.stdout.write(`${JSON.stringify({ begun, held, failures, longestMs, issued: codes.size })}\n`)
}
const reporting = setInterval(report, REPORT_MS)
await once(process.stdin.resume(), 'end')
clearInterval(reporting)
await load.stop()
report()
