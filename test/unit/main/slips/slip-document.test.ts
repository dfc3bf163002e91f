import { describe, expect, it } from 'vitest'
import type { AffordableRewards } from '../../../../electron/contract/affordable-rewards.ts'
import { DEFAULT_SLIP_SETTINGS } from '../../../../electron/contract/settings.ts'
import type { SlipBusiness } from '../../../../electron/main/session/current-business.ts'
import { documentOf } from '../../../../electron/main/slips/print-jobs.ts'
import { snapshotOf } from '../../../../electron/main/session/current-business.ts'
import { openJournal } from '../../../../electron/main/journal/open-journal.ts'
import { join } from 'node:path'
import { temporaryFolder } from './slip-service-fixture.ts'
import { business } from '../../../support/sample-business.ts'

const settings = {
  ...DEFAULT_SLIP_SETTINGS,
  headline: 'Thank you',
  footer: 'See you soon',
  tillName: 'Till 2',
  joinUs: true
}
const businessWithSettings: SlipBusiness = {
  ...business,
  slip: settings,
  getStartedLink: 'https://loyalty.example/join',
  logo: Uint8Array.of(1, 2, 3)
}

/** Returns the document of a slip for Maria issued by `shop`, read from a reopened journal. */
function documentFor(shop: SlipBusiness, copy = 0, affordable: AffordableRewards | null = null) {
  const file = join(temporaryFolder(), 'journal.db')
  const at = '2026-11-21T12:05:33.000Z'
  const before = openJournal(file, new Date()).journal
  const snapshot = snapshotOf(shop, affordable)
  if (snapshot.logo !== null && shop.logo) before?.logos.add(snapshot.logo, shop.logo)
  before?.slips.request({
    training: false,
    businessId: 'b1',
    intentId: 'i1',
    points: 250,
    customer: { id: 'c1', name: 'Maria' },
    cashier: null,
    requestedAt: at,
    snapshot,
    requestedCopies: 1,
    keyed: false,
    batch: null,
    reference: null,
    program: null
  })
  before?.slips.transition('i1', 'issued', { code: 'A', url: 'https://x.example/A', issuedAt: at })
  before?.close()
  const { journal } = openJournal(file, new Date())
  const row = journal?.slips.byIntent('i1')
  const document = row && journal ? documentOf(row, copy, journal.logos) : null
  journal?.close()
  return document
}

describe('documentOf', () => {
  it('returns what the business put on its slips, from the journal alone', () => {
    expect(documentFor(businessWithSettings)).toMatchObject({
      customerName: 'Maria',
      headline: 'Thank you',
      footer: 'See you soon',
      tillName: 'Till 2',
      joinUrl: 'https://loyalty.example/join',
      logo: Uint8Array.of(1, 2, 3),
      copy: 0
    })
  })

  it('leaves out what the settings turn off', () => {
    const plain = {
      ...businessWithSettings,
      slip: { ...settings, customerName: false, logo: false, joinUs: false }
    }
    expect(documentFor(plain)).toMatchObject({ customerName: null, logo: null, joinUrl: null })
  })

  it('returns what the points buy, as it was at the request, if the settings show it', () => {
    const affordable = { best: 'Mug', others: 2, next: { name: 'Pie', missing: 40 } }
    expect(documentFor(businessWithSettings, 0, affordable)?.affordable).toBeNull()
    const shown = { ...businessWithSettings, slip: { ...settings, rewards: true } }
    expect(documentFor(shown, 0, affordable)?.affordable).toEqual(affordable)
    expect(documentFor(shown)?.affordable).toBeNull()
  })

  it('holds the number of the copy', () => {
    expect(documentFor(business, 2)?.copy).toBe(2)
  })
})
