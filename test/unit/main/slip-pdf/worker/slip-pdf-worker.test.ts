import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSlipPdfWorker } from '../../../../../electron/main/slip-pdf/worker/slip-pdf-worker.ts'
import { createPaperWork } from '../../../../../electron/main/slip-pdf/slip-pdf-renderer.ts'
import { UnreadablePdfError } from '../../../../../electron/main/printing/print-job.ts'
import { UnscannableError } from '../../../../../electron/main/slip-pdf/qr.ts'
import { forkProgram } from '../../../../support/electron-stand-in/utility/fork.ts'
import { example } from '../sample-slips.ts'
import { fontsFolder } from '../../slips/slip-service-fixture.ts'

const program = fileURLToPath(
  new URL('../../../../../electron/main/slip-pdf/worker/worker-entry.ts', import.meta.url)
)

/** A desk, and what it did: how many processes it has started, which have ended, and how often it asked. */
function openDesk(options: { readonly fonts?: string; readonly rest?: number } = {}) {
  const did = { started: 0, asked: 0 }
  const first = Promise.withResolvers<number>()
  const desk = createSlipPdfWorker({
    start(events) {
      did.started += 1
      const child = forkProgram(program, [options.fonts ?? fontsFolder])
      child.on('message', (reply) => events.replied(reply))
      child.once('exit', (code) => {
        events.ended(code ?? 0)
        first.resolve(code ?? 0)
      })
      return {
        send(question) {
          did.asked += 1
          child.send(question)
        },
        end: () => child.kill()
      }
    },
    ...(options.rest !== undefined && { rest: options.rest })
  })
  onTestFinished(() => desk.close())
  return { desk, did, firstEnded: first.promise }
}

describe('papers made in a process of their own', () => {
  it('have the bytes of those that are made here, from slip to receipt', async () => {
    const [here, there] = [createPaperWork(fontsFolder), openDesk().desk]
    const papers = await Promise.all([here, there].map((work) => work.slips([example, example], '80mm')))
    const [laidOut, elsewhere] = papers
    if (laidOut === undefined || elsewhere === undefined) throw new Error('Nothing was laid out')
    expect(elsewhere).toEqual(laidOut)
    const receipts = await Promise.all(
      [here, there].map((work) => work.receipt({ ...laidOut, title: 'slip' }, 576, 'raster'))
    )
    expect(Buffer.from(receipts[1] ?? []).equals(receipts[0] ?? Buffer.alloc(0))).toBe(true)
    const pictures = await Promise.all([here, there].map((work) => work.picture(laidOut.pdf)))
    expect(pictures[1]).toEqual(new Uint8Array(pictures[0] ?? []))
  })

  it('fail as those that are made here', async () => {
    const { desk } = openDesk()
    const url = `https://x.example/${'x'.repeat(3000)}`
    await expect(desk.slips([{ ...example, url }], '80mm')).rejects.toBeInstanceOf(UnscannableError)
    await expect(desk.picture(Uint8Array.of(1, 2, 3))).rejects.toBeInstanceOf(UnreadablePdfError)
    await expect(openDesk({ fonts: '/nowhere' }).desk.slips([example], '80mm')).rejects.toThrow('ENOENT')
  })

  it('of a process that ended are lost, and the next one is made by another process', async () => {
    const { desk } = openDesk()
    const lost = desk.slips([example], '80mm')
    await desk.close()
    await expect(lost).rejects.toThrow('The paper process ended')
    expect((await desk.slips([example], '80mm')).pages).toBe(1)
  })

  it('are made by another process after a rest, since the first one has ended', async () => {
    const { desk, did, firstEnded } = openDesk({ rest: 20 })
    expect((await desk.slips([example], '80mm')).pages).toBe(1)
    await firstEnded
    expect((await desk.slips([example], '80mm')).pages).toBe(1)
    expect(did.started).toBe(2)
  })

  it('are the same after a rehearsal, which each process has once', async () => {
    const { desk, did } = openDesk()
    await desk.rehearse(example, '80mm')
    await desk.rehearse(example, '80mm')
    expect(did.asked).toBe(1)
    expect(await desk.slips([example], '80mm')).toEqual(
      await createPaperWork(fontsFolder).slips([example], '80mm')
    )
    await desk.close()
    await desk.rehearse(example, '80mm')
    expect(did).toEqual({ started: 2, asked: 3 })
  })
})
