import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { err, ok } from '../../../../electron/contract/failure.ts'
import type { HandingOver, QrDrawing, Slip } from '../../../../electron/contract/till.ts'
import { drawQr, type SlipsOptions } from '../../../../electron/main/slips/index.ts'
import { openTill, press, qrCode, temporaryFolder, valueOf } from './till.ts'

/** A till with a customer display: what it was told, and whether it is open. */
function openWithDisplay(
  way: HandingOver,
  changes: Partial<SlipsOptions> = {},
  isOpen: () => boolean = () => true
) {
  const shown: { readonly slip: Slip; readonly qr: QrDrawing | null }[] = []
  const till = openTill({
    handingOver: () => way,
    onHandedOver: (slip, qr) => {
      shown.push({ slip, qr })
      return isOpen()
    },
    ...changes
  })
  const papers = (): string[] => {
    try {
      return readdirSync(join(till.folder, 'slips'))
    } catch {
      return []
    }
  }
  return { till, shown, papers }
}

const drawing = drawQr('https://loyalty.example/q/CODE-1')

describe('handing a slip over', () => {
  it('on paper tells the display of the points, without their code', async () => {
    const { till, shown, papers } = openWithDisplay('print')
    const pressed = press()
    await till.slips.issue(pressed)
    expect(valueOf(await till.slips.print(pressed)).slip).toMatchObject({ state: 'printed', shownAt: null })
    expect(shown.map(({ slip, qr }) => [slip.code, qr])).toEqual([['CODE-1', null]])
    expect(papers()).toEqual(['CODE-1.pdf'])
  })

  it('on the display shows its code once it is on disk, and moves no paper', async () => {
    const { till, shown, papers } = openWithDisplay('show')
    const issued = valueOf(await till.slips.issue({ ...press(), copies: 3 }))
    expect(issued.slip).toMatchObject({
      state: 'shown',
      shownAt: '2026-11-21T12:05:33.000Z',
      printedAt: null
    })
    expect(shown.map(({ slip, qr }) => [slip.state, slip.code, qr])).toEqual([['issued', 'CODE-1', drawing]])
    expect(papers()).toEqual([])
    expect(till.slips.attention()).toEqual(ok(0))
  })

  it('on the display happens once, however often the button is pressed', async () => {
    const { till, shown } = openWithDisplay('show')
    const pressed = press()
    const both = await Promise.all([till.slips.issue(pressed), till.slips.issue(pressed)])
    await till.slips.issue(pressed)
    expect(both.map((answer) => valueOf(answer).slip.state)).toEqual(['shown', 'shown'])
    expect([shown.length, till.asked]).toEqual([1, [250]])
  })

  it('on both shows the code and prints as many papers as were asked for', async () => {
    const { till, shown, papers } = openWithDisplay('both')
    const pressed = { ...press(), copies: 2 }
    const { slip } = valueOf(await till.slips.issue(pressed))
    expect(slip).toMatchObject({ state: 'printing', shownAt: '2026-11-21T12:05:33.000Z' })
    await till.slips.print(pressed)
    await till.slips.close()
    expect(shown.map(({ qr }) => qr)).toEqual([drawing])
    expect(papers().sort()).toEqual(['CODE-1-COPY-1.pdf', 'CODE-1.pdf'])
  })

  it('prints what no display showed: it was closed by then', async () => {
    for (const way of ['show', 'both'] as const) {
      const { till, papers } = openWithDisplay(way, {}, () => false)
      const pressed = press()
      await till.slips.issue(pressed)
      expect(valueOf(await till.slips.print(pressed)).slip).toMatchObject({ state: 'printed', shownAt: null })
      expect(papers()).toEqual(['CODE-1.pdf'])
    }
  })

  it('does not show a URL that is too long for any code: it goes where unprintable ones go', async () => {
    const { till, shown } = openWithDisplay('show', {
      createQr: (points) =>
        Promise.resolve(ok({ ...qrCode('LONG', points), qrURL: `https://x.example/${'a'.repeat(3000)}` }))
    })
    const pressed = press()
    await till.slips.issue(pressed)
    expect(valueOf(await till.slips.print(pressed)).slip).toMatchObject({
      state: 'print-failed',
      shownAt: null,
      failure: { kind: 'bad-response', path: 'qrURL' }
    })
    expect(shown.every(({ qr }) => qr === null)).toBe(true)
  })

  it('tells the display nothing of points that were refused, or whose outcome nobody knows', async () => {
    for (const failure of [{ kind: 'offline' }, { kind: 'unknown-outcome', cause: 'timeout' }] as const) {
      const { till, shown } = openWithDisplay('show', { createQr: () => Promise.resolve(err(failure)) })
      expect(await till.slips.issue(press())).toEqual(err(failure))
      expect(shown).toEqual([])
    }
  })
})

describe('a slip that was shown', () => {
  it('gets its first paper, without a mark, when it is printed again', async () => {
    const { till, papers } = openWithDisplay('show', {
      settings: () => ({
        printer: { destination: { kind: 'folder' }, paper: '80mm' },
        copies: 2,
        oneJob: false
      })
    })
    await till.slips.issue(press())
    const { slip } = valueOf(await till.slips.reprintLast())
    expect(slip).toMatchObject({ state: 'printed', copies: 0, shownAt: '2026-11-21T12:05:33.000Z' })
    expect(papers()).toEqual(['CODE-1.pdf'])
    expect(valueOf(await till.slips.reprintLast()).slip).toMatchObject({ state: 'printed', copies: 1 })
    expect(till.asked).toEqual([250])
  })

  it('needs attention when the paper that was asked for did not come, and keeps when it was shown', async () => {
    const { till } = openWithDisplay('show', {
      settings: () => ({
        printer: { destination: { kind: 'queue', name: 'Q' }, paper: '80mm' },
        copies: 1,
        oneJob: false
      }),
      printOnPrinter: () =>
        Promise.resolve(err({ kind: 'not-printed', fault: 'out-of-paper', mayStillPrint: false }))
    })
    const pressed = press()
    await till.slips.issue(pressed)
    expect(valueOf(await till.slips.print(pressed)).slip).toMatchObject({
      state: 'print-failed',
      shownAt: '2026-11-21T12:05:33.000Z'
    })
    expect(till.slips.attention()).toEqual(ok(1))
  })

  it('is still shown after a restart, and found by its state', async () => {
    const folder = temporaryFolder()
    const till = openTill({ handingOver: () => 'show', onHandedOver: () => true }, folder)
    await till.slips.issue(press())
    const again = await till.restart()
    const found = valueOf(again.slips.list({ offset: 0, search: { states: ['shown'] } }))
    expect(found.slips.map(({ state, code }) => [state, code])).toEqual([['shown', 'CODE-1']])
    expect(again.slips.attention()).toEqual(ok(0))
  })

  it('in a batch does not occur: nobody stands in front of the display', async () => {
    const { till, shown } = openWithDisplay('show')
    valueOf(
      (await till.slips.batches?.start({
        batchId: '0b8f6c2e-1f0a-4a53-9a3e-3a1d2f4b5c6d',
        points: 5,
        count: 3,
        oneJob: false
      })) ?? err({ kind: 'internal' })
    )
    expect(await till.finished()).toMatchObject({ printed: 3 })
    expect(shown).toEqual([])
  })
})
