/** The slips that are laid out: the same slip in three scripts. */
import type { SlipDocument } from '../../../electron/main/slip-pdf/slip-document.ts'
import { sampleSlip } from '../../support/sample-slip.ts'

const arabic: SlipDocument = {
  ...sampleSlip,
  business: {
    name: 'مقهى الزاوية',
    address: { street: 'شارع الحمرا ١٢', city: 'بيروت', state: '', country: 'لبنان', zipCode: '1103' }
  },
  customerName: 'ليلى حداد',
  locale: 'ar',
  timeZone: 'Asia/Beirut'
}

const japanese: SlipDocument = {
  ...sampleSlip,
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
export const SLIPS = { Latin: sampleSlip, Arabic: arabic, Japanese: japanese } as const
export type Script = keyof typeof SLIPS
