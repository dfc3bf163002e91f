/** A slip for a program over the local interface, its code returned, against the bare `POST /qr`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../../../resources/scripts/tools.ts'
import { send } from '../../support/interface-client.ts'
import { createStoredCaller } from '../../support/stored-caller.ts'
import type { Bench } from '../bench.ts'
import { startServer } from '../../support/service-load/server.ts'
import { milliseconds, sideBySide } from '../side-by-side.ts'

const TOKEN = 'demo'
const POINTS = 25
const ROUNDS = { smoke: { rounds: 2, warmUp: 1 }, full: { rounds: 100, warmUp: 20 } }

/** The row of the local interface. */
export const localInterfaceBench: Bench = {
  name: 'local-interface',
  description: 'a slip for a program, its code returned, against the bare POST /qr',
  async measure({ extent, folder, say }) {
    say('slips for a program')
    const { token, stored } = createStoredCaller('Bench')
    writeFileSync(join(folder, 'callers.json'), JSON.stringify(stored))
    const service = await startServer(join(PROJECT, 'electron/service/cli/main.ts'), [
      ...['--port', '0', '--token', TOKEN]
    ])
    const till = spawn(
      process.execPath,
      [join(PROJECT, 'test/crash/interface-process.ts'), folder, service.url.href],
      { stdio: ['ignore', 'pipe', 'inherit'] }
    )
    try {
      const [line] = (await once(till.stdout, 'data')) as [Buffer]
      const port = Number(line.toString())
      let bills = 0
      const issue = async (): Promise<void> => {
        bills += 1
        const body = { reference: `R-${String(bills)}`, points: POINTS, deliver: 'return' }
        const { status } = await send(port, { method: 'POST', path: '/v1/slips', token, body })
        if (status !== 201) throw new Error(`The till answered ${String(status)}`)
      }
      const bare = async (): Promise<void> => {
        const answer = await fetch(`${service.url.href}/qr`, {
          method: 'POST',
          headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
          body: JSON.stringify({ points: POINTS })
        })
        await answer.text()
        if (!answer.ok) throw new Error(`The service answered ${String(answer.status)}`)
      }
      const samples = await sideBySide(
        ROUNDS[extent],
        () => milliseconds(issue),
        () => milliseconds(bare)
      )
      return [
        {
          name: 'local interface: a slip, returned',
          unit: 'ms',
          samples,
          against: 'the bare POST /qr',
          target: { kind: 'at most times', times: 6, rank: 'p50' }
        }
      ]
    } finally {
      const ended = once(till, 'exit')
      till.kill()
      await ended
      await service.close()
    }
  }
}
