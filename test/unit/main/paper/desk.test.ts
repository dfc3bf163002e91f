import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createPaperDesk, type PaperDesk } from '../../../../electron/main/paper/desk.ts'
import { createPaperWork } from '../../../../electron/main/paper/work.ts'
import { UnreadablePdf } from '../../../../electron/main/printing/unreadable-pdf.ts'
import { CannotScan } from '../../../../electron/main/slips/layout/cannot-scan.ts'
import { example } from '../slips/layout/slips.ts'
import { fontsFolder } from '../slips/till.ts'

const program = fileURLToPath(new URL('../../../../electron/main/paper/thread.ts', import.meta.url))

function openDesk(options: { readonly fonts?: string; readonly rest?: number } = {}): PaperDesk {
  const desk = createPaperDesk({ program, fonts: fontsFolder, ...options })
  onTestFinished(() => desk.close())
  return desk
}

/** Threads that were started since, oldest first. */
function startedThreads(): readonly Worker[] {
  const threads: Worker[] = []
  const note = (thread: Worker): void => {
    threads.push(thread)
  }
  process.on('worker', note)
  onTestFinished(() => void process.off('worker', note))
  return threads
}

describe('papers made in a thread', () => {
  it('have the bytes of those that are made here, from slip to receipt', async () => {
    const [here, there] = [createPaperWork(fontsFolder), openDesk()]
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
    const desk = openDesk()
    const url = `https://x.example/${'x'.repeat(3000)}`
    await expect(desk.slips([{ ...example, url }], '80mm')).rejects.toBeInstanceOf(CannotScan)
    await expect(desk.picture(Uint8Array.of(1, 2, 3))).rejects.toBeInstanceOf(UnreadablePdf)
    await expect(openDesk({ fonts: '/nowhere' }).slips([example], '80mm')).rejects.toThrow('ENOENT')
  })

  it('of a thread that ended are lost, and the next one is made by another thread', async () => {
    const desk = openDesk()
    const lost = desk.slips([example], '80mm')
    await desk.close()
    await expect(lost).rejects.toThrow('The paper thread ended')
    expect((await desk.slips([example], '80mm')).pages).toBe(1)
  })

  it('are made by another thread after a rest, since the first one has ended', async () => {
    const threads = startedThreads()
    const desk = openDesk({ rest: 20 })
    expect((await desk.slips([example], '80mm')).pages).toBe(1)
    const [first] = threads
    if (first === undefined) throw new Error('No thread was started')
    await once(first, 'exit')
    expect((await desk.slips([example], '80mm')).pages).toBe(1)
    expect(threads).toHaveLength(2)
  })

  it('are the same after a rehearsal, which each thread has once', async () => {
    const threads = startedThreads()
    const desk = openDesk()
    const sent = vi.spyOn(Worker.prototype, 'postMessage')
    onTestFinished(() => sent.mockRestore())
    await desk.rehearse(example, '80mm')
    await desk.rehearse(example, '80mm')
    expect(sent).toHaveBeenCalledTimes(1)
    expect(await desk.slips([example], '80mm')).toEqual(
      await createPaperWork(fontsFolder).slips([example], '80mm')
    )
    await desk.close()
    await desk.rehearse(example, '80mm')
    expect(threads).toHaveLength(2)
    expect(sent).toHaveBeenCalledTimes(3)
  })
})
