import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeAnswer,
  encodeRequest,
  GROUP,
  MalformedIpp
} from '../../../../../electron/main/printing/cups/ipp-message.ts'

const attribute = (tag: number, name: string, value: Buffer): Buffer => {
  const length = (of: number): Buffer => Buffer.of(of >> 8, of & 0xff)
  return Buffer.concat([Buffer.of(tag), length(name.length), Buffer.from(name), length(value.length), value])
}
const text = (value: string): Buffer => Buffer.from(value, 'utf8')
const head = Buffer.of(2, 0, 0x00, 0x01, 0, 0, 0, 1)

describe('a request', () => {
  test('is the bytes of RFC 8010', () => {
    const bytes = encodeRequest({
      operation: 0x000b,
      attributes: [
        ['printer-uri', 'uri', ['ipp://localhost/printers/Q']],
        ['requested-attributes', 'keyword', ['printer-name', 'printer-state']],
        ['job-id', 'integer', [258]]
      ]
    })
    expect(bytes.toString('hex')).toBe(
      Buffer.concat([
        // version 2.0, Get-Printer-Attributes, request 1, operation attributes
        Buffer.of(2, 0, 0, 0x0b, 0, 0, 0, 1, GROUP.operation),
        attribute(0x47, 'attributes-charset', text('utf-8')),
        attribute(0x48, 'attributes-natural-language', text('en')),
        attribute(0x45, 'printer-uri', text('ipp://localhost/printers/Q')),
        attribute(0x44, 'requested-attributes', text('printer-name')),
        attribute(0x44, '', text('printer-state')),
        attribute(0x21, 'job-id', Buffer.of(0, 0, 1, 2)),
        Buffer.of(GROUP.end)
      ]).toString('hex')
    )
  })
})

describe('a request that makes a job', () => {
  test('has the job’s attributes in a group of their own', () => {
    const bytes = encodeRequest({
      operation: 0x0002,
      attributes: [['document-format', 'mimeMediaType', ['application/pdf']]],
      job: [
        ['copies', 'integer', [2]],
        ['print-quality', 'enum', [5]],
        ['fit-to-page', 'boolean', [false]],
        ['PageSize', 'nameWithoutLanguage', ['A6']]
      ]
    })
    const jobGroup = Buffer.concat([
      attribute(0x49, 'document-format', text('application/pdf')),
      Buffer.of(GROUP.job),
      attribute(0x21, 'copies', Buffer.of(0, 0, 0, 2)),
      attribute(0x23, 'print-quality', Buffer.of(0, 0, 0, 5)),
      attribute(0x22, 'fit-to-page', Buffer.of(0)),
      attribute(0x42, 'PageSize', text('A6')),
      Buffer.of(GROUP.end)
    ])
    expect(bytes.toString('hex').endsWith(jobGroup.toString('hex'))).toBe(true)
  })
})

describe('an answer', () => {
  test('gives its groups, with every value of an attribute', () => {
    const answer = decodeAnswer(
      Buffer.concat([
        head,
        Buffer.of(GROUP.operation),
        attribute(0x47, 'attributes-charset', text('utf-8')),
        Buffer.of(GROUP.printer),
        attribute(0x42, 'printer-name', text('Καφές')),
        attribute(0x44, 'printer-state-reasons', text('paused')),
        attribute(0x44, '', text('media-empty-error')),
        attribute(0x23, 'printer-state', Buffer.of(0, 0, 0, 5)),
        attribute(0x22, 'printer-is-accepting-jobs', Buffer.of(0)),
        Buffer.of(GROUP.printer),
        attribute(0x42, 'printer-name', text('Second')),
        Buffer.of(GROUP.end)
      ])
    )
    expect(answer.status).toBe(1)
    expect(answer.groups.map(({ tag }) => tag)).toEqual([GROUP.operation, GROUP.printer, GROUP.printer])
    expect(Object.fromEntries(answer.groups[1]?.attributes ?? [])).toEqual({
      'printer-name': ['Καφές'],
      'printer-state-reasons': ['paused', 'media-empty-error'],
      'printer-state': [5],
      'printer-is-accepting-jobs': [false]
    })
    expect(answer.groups[2]?.attributes.get('printer-name')).toEqual(['Second'])
  })

  test('reads a text that names its language', () => {
    const value = Buffer.concat([Buffer.of(0, 2), text('de'), Buffer.of(0, 6), text('Kasse1')])
    const answer = decodeAnswer(
      Buffer.concat([
        head,
        Buffer.of(GROUP.printer),
        attribute(0x35, 'printer-info', value),
        Buffer.of(GROUP.end)
      ])
    )
    expect(answer.groups[0]?.attributes.get('printer-info')).toEqual(['Kasse1'])
  })

  test('passes over collections, nested ones too, and keeps what is around them', () => {
    const answer = decodeAnswer(
      Buffer.concat([
        head,
        Buffer.of(GROUP.printer),
        attribute(0x42, 'printer-name', text('Q')),
        attribute(0x34, 'media-col-default', Buffer.alloc(0)),
        attribute(0x4a, '', text('media-size')),
        attribute(0x34, '', Buffer.alloc(0)),
        attribute(0x4a, '', text('x-dimension')),
        attribute(0x21, '', Buffer.of(0, 0, 31, 64)),
        attribute(0x37, '', Buffer.alloc(0)),
        attribute(0x37, '', Buffer.alloc(0)),
        attribute(0x41, 'printer-info', text('At the counter')),
        Buffer.of(GROUP.end)
      ])
    )
    expect(Object.fromEntries(answer.groups[0]?.attributes ?? [])).toEqual({
      'printer-name': ['Q'],
      'printer-info': ['At the counter']
    })
  })

  test('is malformed or read, never anything else, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          expect(decodeAnswer(Buffer.from(bytes)).status).toBeTypeOf('number')
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedIpp)
        }
      })
    )
  })

  test('is malformed when it ends early', () => {
    const whole = Buffer.concat([
      head,
      Buffer.of(GROUP.printer),
      attribute(0x42, 'printer-name', text('Q')),
      Buffer.of(GROUP.end)
    ])
    for (let length = 0; length < whole.length; length++) {
      expect(() => decodeAnswer(whole.subarray(0, length))).toThrow(MalformedIpp)
    }
  })
})
