/** What a printer need not reach: whether a queue takes a page is decided by it. */
import { describe, test } from 'vitest'
import { PAPER_SIZES } from '../../../../electron/contract/paper.ts'
import { expectBlankEdges } from '../../../support/blank-edges.ts'
import { targetOf } from '../../../support/print-target.ts'
import { sampleSlip } from '../../../support/sample-slip.ts'
import { renderer } from './sample-slips.ts'

describe.each(PAPER_SIZES)('on %s the edges are blank', (paper) => {
  test.each([
    ['a copy', { copy: 1 }],
    ['a slip of training mode', { training: true }],
    ['a long slip', { copy: 2, training: true, footer: 'Thank you for your visit. '.repeat(20) }]
  ])('of %s', async (_what, change) => {
    await expectBlankEdges(await renderer.renderSlips([{ ...sampleSlip, ...change }], targetOf(paper)))
  })

  test('of the test page', async () => {
    const page = { locale: 'en', printedAt: '2026-11-21T12:05:33.000Z' }
    await expectBlankEdges(await renderer.renderTestPage(page, targetOf(paper)))
  })
})
