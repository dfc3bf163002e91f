/** A slip for a program over the local interface, its code returned, against the bare `POST /qr`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { send } from '../../support/interface-client.ts'
import { createStoredCaller } from '../../support/stored-caller.ts'
import type { Bench } from '../bench.ts'
import { atMostTimes } from '../line.ts'
import { milliseconds, sideBySide } from '../side-by-side.ts'
import { barePost } from '../window/customers.ts'
import { startTraining } from '../window/open.ts'

const ROUNDS = { smoke: { rounds: 2, warmUp: 1 }, full: { rounds: 100, warmUp: 20 } }

/** The row of the local interface. */
export const localInterfaceBench: Bench = {
  name: 'local-interface',
  description: 'a slip for a program, its code returned, against the bare POST /qr',
  async measure({ extent, folder }) {
    const { token, stored } = createStoredCaller('Bench')
    writeFileSync(join(folder, 'callers.json'), JSON.stringify(stored))
    const service = await startTraining()
    const till = spawn(
      process.execPath,
      [join(PROJECT, 'test/crash/interface-process.ts'), folder, service.url.href],
      { stdio: ['ignore', 'pipe', 'inherit'] }
    )
    try {
      const [said] = (await once(till.stdout, 'data')) as [Buffer]
      const port = Number(said.toString())
      let bills = 0
      const issue = async (): Promise<void> => {
        bills += 1
        const body = { reference: `R-${String(bills)}`, points: 25, deliver: 'return' }
        const { status } = await send(port, { method: 'POST', path: '/v1/slips', token, body })
        if (status !== 201) throw new Error(`The till answered ${String(status)}`)
      }
      const samples = await sideBySide(
        ROUNDS[extent],
        () => milliseconds(issue),
        () => milliseconds(() => barePost(service.url.href))
      )
      const line = { name: 'local interface: a slip, returned', unit: 'ms' } as const
      return [{ ...line, samples, against: 'the bare POST /qr', target: atMostTimes(5) }]
    } finally {
      const ended = once(till, 'exit')
      till.kill()
      await ended
      await service.close()
    }
  }
}
