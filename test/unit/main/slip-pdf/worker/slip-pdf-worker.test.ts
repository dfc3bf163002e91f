import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { UnscannableError } from '../../../../../electron/images/qr-code.ts'
import {
  SlipPdfWorker,
  type WorkerProgram
} from '../../../../../electron/main/slip-pdf/worker/slip-pdf-worker.ts'
import { forkProgram } from '../../../../support/electron-stand-in/utility/fork.ts'
import { fontsFolder } from '../../slips/slip-service-fixture.ts'
import { renderer } from '../sample-slips.ts'
import { sampleSlip } from '../../../../support/sample-slip.ts'
import { targetOf } from '../../../../support/print-target.ts'

const entry = fileURLToPath(
  new URL('../../../../../electron/main/slip-pdf/worker/worker-entry.ts', import.meta.url)
)

const hangingEntry = fileURLToPath(new URL('hanging-worker.ts', import.meta.url))

/** A worker and the processes that it has started; the first of them runs `firstEntry`. */
function createWorker(
  fonts = fontsFolder,
  firstEntry = entry,
  options: ConstructorParameters<typeof SlipPdfWorker>[1] = {}
) {
  const processes: ReturnType<typeof forkProgram>[] = []
  const program: WorkerProgram = {
    start(events) {
      const child = forkProgram(processes.length === 0 ? firstEntry : entry, [fonts])
      processes.push(child)
      child.on('message', (response) => events.replied(response))
      child.once('exit', (code) => events.ended(code ?? 0))
      return { send: (request) => child.send(request), end: () => child.kill() }
    }
  }
  const worker = new SlipPdfWorker(program, options)
  onTestFinished(() => worker.close())
  return { worker, processes }
}

describe('SlipPdfWorker', () => {
  it('returns the same bytes as SlipPdfRenderer for slips, receipts and previews', async () => {
    const { worker } = createWorker()
    const receipt = { language: 'esc-pos', widthDots: 576, cut: 'partial', code: 'raster' } as const
    const target = targetOf('80mm', { receipt })
    const slips = await renderer.renderSlips([sampleSlip, sampleSlip], target)
    expect(await worker.renderSlips([sampleSlip, sampleSlip], target)).toEqual(slips)
    expect(slips.commands?.length).toBeGreaterThan(1000)
    const preview = await worker.renderPreview(slips.pdf)
    expect(preview).toEqual(new Uint8Array((await renderer.renderPreview(slips.pdf)) ?? []))
  })

  it('returns the same test page as SlipPdfRenderer', async () => {
    const page = { locale: 'en-GB', printedAt: '2026-11-21T12:05:33.000Z' }
    expect(await createWorker().worker.renderTestPage(page, targetOf('80mm'))).toEqual(
      await renderer.renderTestPage(page, targetOf('80mm'))
    )
  })

  it('rejects with the same error classes', async () => {
    const { worker } = createWorker()
    const url = `https://x.example/${'x'.repeat(3000)}`
    await expect(worker.renderSlips([{ ...sampleSlip, url }], targetOf('80mm'))).rejects.toBeInstanceOf(
      UnscannableError
    )
    await expect(worker.renderPreview(Uint8Array.of(1, 2, 3))).rejects.toThrow('PDF')
    await expect(createWorker('/nowhere').worker.renderSlips([sampleSlip], targetOf('80mm'))).rejects.toThrow(
      'ENOENT'
    )
  })

  it('rejects pending requests when its process is killed, and starts another one for the next', async () => {
    const { worker, processes } = createWorker()
    const lost = worker.renderSlips([sampleSlip], targetOf('80mm'))
    await vi.waitFor(() => expect(processes).toHaveLength(1))
    processes[0]?.kill('SIGKILL')
    await expect(lost).rejects.toThrow('The PDF worker exited')
    expect((await worker.renderSlips([sampleSlip], targetOf('80mm'))).pages).toBe(1)
    expect(processes).toHaveLength(2)
  })

  it('kills a process that does not respond, rejects its requests, and starts another one', async () => {
    const onIdle = vi.fn()
    const { worker, processes } = createWorker(fontsFolder, hangingEntry, { timeoutMs: 1000, onIdle })
    const requests = [
      worker.renderSlips([sampleSlip], targetOf('80mm')),
      worker.renderPreview(Uint8Array.of(1))
    ]
    const [hanging] = processes
    if (hanging === undefined) throw new Error('No process was started')
    const exited = once(hanging, 'exit')
    for (const outcome of await Promise.allSettled(requests)) {
      expect(outcome).toMatchObject({ reason: { message: 'The PDF worker did not respond within 1500 ms' } })
    }
    await exited
    expect(onIdle).not.toHaveBeenCalled()
    // On a slow machine a second is too short for a process to start and render.
    worker.renderPreview(Uint8Array.of(1)).catch(() => undefined)
    expect(processes).toHaveLength(2)
  })

  it('does not wait for a process that does not respond when the till quits', async () => {
    const { worker, processes } = createWorker(fontsFolder, hangingEntry)
    const pending = worker.renderSlips([sampleSlip], targetOf('80mm'))
    await vi.waitFor(() => expect(processes).toHaveLength(1))
    worker.limitTime(10)
    await expect(pending).rejects.toThrow('did not respond within 10 ms')
  })

  it('starts another process after one that died while idle', async () => {
    const { worker, processes } = createWorker()
    await worker.renderSlips([sampleSlip], targetOf('80mm'))
    const [first] = processes
    if (first === undefined) throw new Error('No process was started')
    const exited = once(first, 'exit')
    first.kill('SIGKILL')
    await exited
    expect((await worker.renderSlips([sampleSlip], targetOf('80mm'))).pages).toBe(1)
    expect(processes).toHaveLength(2)
  })

  it('ends a process that is idle, says so, and starts another one for the next slip', async () => {
    const onIdle = vi.fn()
    const { worker, processes } = createWorker(fontsFolder, entry, { idleMs: 50, onIdle })
    await worker.warmUp(targetOf('80mm'))
    const [first] = processes
    if (first === undefined) throw new Error('No process was started')
    await once(first, 'exit')
    expect(onIdle).toHaveBeenCalledOnce()
    expect((await worker.renderSlips([sampleSlip], targetOf('80mm'))).pages).toBe(1)
    expect(processes).toHaveLength(2)
  })

  it('keeps the process for another idle time when a slip may follow', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { worker, processes } = createWorker(fontsFolder, entry, { idleMs: 1000 })
    await worker.warmUp(targetOf('80mm'))
    vi.advanceTimersByTime(900)
    await worker.warmUp(targetOf('80mm'))
    vi.advanceTimersByTime(900)
    expect(processes[0]?.killed).toBe(false)
    vi.advanceTimersByTime(100)
    expect(processes[0]?.killed).toBe(true)
  })

  it('warms up the process that renders the next slip, and renders the same bytes after it', async () => {
    const { worker, processes } = createWorker()
    await worker.warmUp(targetOf('80mm'))
    expect(await worker.renderSlips([sampleSlip], targetOf('80mm'))).toEqual(
      await renderer.renderSlips([sampleSlip], targetOf('80mm'))
    )
    expect(processes).toHaveLength(1)
  })

  it('does not fail to warm up when it is closed meanwhile, as at a quick end of the app', async () => {
    const { worker } = createWorker(fontsFolder, hangingEntry)
    const warmedUp = worker.warmUp(targetOf('80mm'))
    await worker.close()
    await expect(warmedUp).resolves.toBeUndefined()
  })

  it('fails to warm up when its process is killed', async () => {
    const { worker, processes } = createWorker(fontsFolder, hangingEntry)
    const failed = expect(worker.warmUp(targetOf('80mm'))).rejects.toThrow('The PDF worker exited')
    processes[0]?.kill('SIGKILL')
    await failed
  })

  it('rejects pending requests when it is closed', async () => {
    const { worker } = createWorker()
    const lost = worker.renderSlips([sampleSlip], targetOf('80mm'))
    const rejected = expect(lost).rejects.toThrow('The PDF worker exited')
    await worker.close()
    await rejected
  })
})
