import type { SlipDocument } from '../../electron/main/slip-pdf/slip-document.ts'

/** A slip with a customer, in Latin script. */
export const sampleSlip: SlipDocument = {
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
