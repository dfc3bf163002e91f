/** The slips that are laid out: the same slip in three scripts. */
import type { SlipDocument } from '../../../electron/main/slip-pdf/slip-document.ts'

const latin: SlipDocument = {
  business: {
    name: 'Corner Café',
    address: { street: 'Ermou 12', city: 'Athens', state: 'Attica', country: 'Greece', zipCode: '10563' }
  },
  points: 1250,
  customerName: 'Maria Papadopoulou',
  code: 'K7QF-29XM',
  url: 'https://loyalty.example/q/K7QF-29XM',
  issuedAt: '2026-11-21T12:05:33.000Z',
  timeZone: 'Europe/Athens',
  locale: 'en-GB',
  training: false
}

const arabic: SlipDocument = {
  ...latin,
  business: {
    name: 'مقهى الزاوية',
    address: { street: 'شارع الحمرا ١٢', city: 'بيروت', state: '', country: 'لبنان', zipCode: '1103' }
  },
  customerName: 'ليلى حداد',
  locale: 'ar',
  timeZone: 'Asia/Beirut'
}

const japanese: SlipDocument = {
  ...latin,
  business: {
    name: '東京カフェ「中村」',
    address: {
      street: '神田駿河台2丁目5',
      city: '千代田区',
      state: '東京都',
      country: '日本',
      zipCode: '101-0062'
    }
  },
  customerName: '中村 さくら',
  locale: 'ja',
  timeZone: 'Asia/Tokyo'
}

/** By script. */
export const SLIPS = { Latin: latin, Arabic: arabic, Japanese: japanese } as const
export type Script = keyof typeof SLIPS
