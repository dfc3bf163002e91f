import { describe, expect, it } from 'vitest'
import { DEFAULT_SLIP_SETTINGS } from '../../../../electron/contract/settings.ts'
import type { SlipBusiness } from '../../../../electron/main/slips/slip-service.ts'
import { documentOf, snapshotOf } from '../../../../electron/main/slips/slip-document.ts'
import { openJournal } from '../../../../electron/main/slips/journal/open-journal.ts'
import { join } from 'node:path'
import { business, temporaryFolder } from './slip-service-fixture.ts'

const settings = {
  ...DEFAULT_SLIP_SETTINGS,
  headline: 'Thank you',
  footer: 'See you soon',
  tillName: 'Till 2',
  joinUs: true
}
const dressed: SlipBusiness = {
  ...business,
  slip: settings,
  getStartedLink: 'https://loyalty.example/join',
  logo: Uint8Array.of(1, 2, 3)
}

/** The document of a slip for Maria, issued by `shop`, as a journal that was opened again gives it. */
function documentFor(shop: SlipBusiness, copy = 0) {
  const file = join(temporaryFolder(), 'journal.db')
  const at = '2026-11-21T12:05:33.000Z'
  const before = openJournal(file, new Date()).journal
  if (shop.logo) before?.keepLogo(shop.logo)
  before?.request({
    training: false,
    businessId: 'b1',
    intentId: 'i1',
    points: 250,
    customer: { id: 'c1', name: 'Maria' },
    cashier: null,
    requestedAt: at,
    snapshot: snapshotOf(shop),
    papers: 1,
    batch: null
  })
  before?.step('i1', 'issued', { code: 'A', url: 'https://x.example/A', issuedAt: at })
  before?.close()
  const { journal } = openJournal(file, new Date())
  const row = journal?.byIntent('i1')
  const document = row && journal ? documentOf(row, copy, journal) : null
  journal?.close()
  return document
}

describe('what a paper says', () => {
  it('is all that the business put on it, from the journal alone', () => {
    expect(documentFor(dressed)).toMatchObject({
      customerName: 'Maria',
      headline: 'Thank you',
      footer: 'See you soon',
      tillName: 'Till 2',
      joinUrl: 'https://loyalty.example/join',
      logo: Uint8Array.of(1, 2, 3),
      copy: 0
    })
  })

  it('leaves out what the business does not want', () => {
    const plain = { ...dressed, slip: { ...settings, customerName: false, logo: false, joinUs: false } }
    expect(documentFor(plain)).toMatchObject({ customerName: null, logo: null, joinUrl: null })
  })

  it('is marked with the number of its copy', () => {
    expect(documentFor(business, 2)?.copy).toBe(2)
  })
})
