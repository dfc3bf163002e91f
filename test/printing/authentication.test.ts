/** Printing to a real CUPS that asks who the user is: what its own `lp` may print without a password, the till may. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PrintResult } from '../../electron/main/printing/print-job.ts'
import { noOpLogger } from '../support/no-op-logger.ts'
import { notPrinted } from '../support/not-printed.ts'
import { startPrintSystem, type PrintSystem } from '../support/print-system/index.ts'
import { printSystemSkipReason } from '../support/print-system/programs.ts'
import { SamplePrinting, sampleSlip, type SampleSlip } from './sample-slip.ts'

/** CUPS's own policy `authenticated`, as far as it concerns jobs. */
const policy = (requirement = ''): string => `DefaultAuthType Basic
<Policy authenticated>
  JobPrivateAccess default
  JobPrivateValues default
  SubscriptionPrivateAccess default
  SubscriptionPrivateValues default
  <Limit Create-Job Print-Job Print-URI Validate-Job>
    AuthType Default
    ${requirement}
    Order deny,allow
  </Limit>
  <Limit All>
    Order deny,allow
  </Limit>
</Policy>
`

/** A scheduler of root has a certificate for its administrators. */
const isRoot = process.getuid?.() === 0

describe.skipIf(printSystemSkipReason() !== null)('a queue that asks who prints', () => {
  let system: PrintSystem
  let slip: SampleSlip

  const printOver = (server: string): Promise<PrintResult> =>
    new SamplePrinting({
      platform: 'linux',
      environment: { ...system.environment, CUPS_SERVER: server, CUPS_STATEDIR: `${system.folder}/state` },
      log: noOpLogger
    }).print(slip, { kind: 'queue', name: 'Receipt' })
  const port = (): string => system.environment['CUPS_SERVER'] ?? ''

  beforeAll(async () => {
    slip = await sampleSlip(80, 120)
    system = await startPrintSystem({ isRootsScheduler: isRoot })
    return () => system.stop()
  })

  describe('for any account', () => {
    beforeEach(async () => {
      await system.configureScheduler({ server: policy() })
      await system.command('lpadmin', '-p', 'Receipt', '-o', 'printer-op-policy=authenticated')
    })

    test('takes that of the program at its local socket', async () => {
      expect((await printOver(system.socket)).ok).toBe(true)
      expect((await printOver(system.socket)).ok).toBe(true)
    })

    test('refuses one at its port, for which there is no password', async () => {
      expect(await printOver(port())).toEqual(notPrinted('permission-denied', false))
    })
  })

  test.skipIf(!isRoot)(
    'for an administrator takes one at its port, by the certificate of the system',
    async () => {
      await system.configureScheduler({ server: policy('Require user @SYSTEM') })
      await system.command('lpadmin', '-p', 'Receipt', '-o', 'printer-op-policy=authenticated')
      expect((await printOver(port())).ok).toBe(true)
    }
  )
})
