import { expect, test } from 'vitest'
import { err, ok, type Failure, type Result } from '../../../../electron/contract/failure.ts'
import type { PrintFault, TestPrint } from '../../../../electron/contract/printing.ts'
import { IpcClient } from '../../../../renderer/src/state/ipc-client.svelte.ts'
import { TestPage } from '../../../../renderer/src/state/test-page.svelte.ts'
import { bridgeWith, deferredCalls } from '../support/bridge.ts'

const printer = { destination: { kind: 'queue', name: 'Counter' }, paperSize: '80mm' } as const

const open = () => {
  const cancelled: string[] = []
  const { requests, call } = deferredCalls<TestPrint, null>()
  const bridge = bridgeWith({
    printers: { printTestPage: (print): Promise<Result<null>> => call(print) },
    slips: {
      cancelPrint: ({ jobId }) => {
        cancelled.push(jobId)
        return Promise.resolve(ok(null))
      }
    }
  })
  return { testPage: new TestPage(bridge, new IpcClient()), requests, cancelled }
}

const notPrinted = (fault: PrintFault, mayStillPrint: boolean): Failure => ({
  ...{ kind: 'not-printed', fault, mayStillPrint }
})

test.each([
  ['nothing, when nothing can be on paper', notPrinted('cancelled-here', false), null],
  ['that it may still print', notPrinted('cancelled-here', true), notPrinted('cancelled-here', true)],
  ['why it ended before', notPrinted('out-of-paper', false), notPrinted('out-of-paper', false)]
])('a test page is cancelled once by its id, and says %s', async (_, failure, shown) => {
  const { testPage, requests, cancelled } = open()
  await testPage.cancel()
  const printing = testPage.print(printer)
  await testPage.print(printer)
  await testPage.cancel()
  await testPage.cancel()
  expect(testPage.isCancelled).toBe(true)
  requests[0]?.resolve(err(failure))
  await printing
  await testPage.cancel()
  expect(cancelled).toEqual([requests[0]?.input.jobId])
  expect([testPage.running, testPage.printed, testPage.failure]).toEqual([false, null, shown])
  const again = testPage.print(printer)
  expect(testPage.isCancelled).toBe(false)
  requests[1]?.resolve(ok(null))
  await again
  expect(requests).toHaveLength(2)
  expect([testPage.printed, testPage.failure]).toEqual(['printed', null])
})
