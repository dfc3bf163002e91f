/** What was typed into the form of a page before the page, and what is wrong with it. */
import { Refusal } from '../domain/refusal.ts'
import type { Html } from './document.ts'

/** Why a form was not taken. */
export interface FormFault {
  /** name of the field that is wrong; null: it is about no field of the page */
  readonly field: string | null
  /** a sentence with the next step */
  readonly text: Html | string
}

export class TypedForm {
  readonly #texts: Readonly<Record<string, string>>
  readonly #fault: FormFault | null

  /** @param texts by the names of fields */
  constructor(texts: Readonly<Record<string, string>> = {}, fault: FormFault | null = null) {
    this.#texts = texts
    this.#fault = fault
  }

  /** Returns what was typed into a field; `kept` where nothing was sent. */
  value(field: string, kept = ''): string {
    return this.#texts[field] ?? kept
  }

  /** Returns whether a field was sent. */
  has(field: string): boolean {
    return this.#texts[field] !== undefined
  }

  /** Returns what is wrong with a field, or null. */
  faultOf(field: string): Html | string | null {
    return this.#fault?.field === field ? this.#fault.text : null
  }

  /** whether the form was not taken */
  get isRefused(): boolean {
    return this.#fault !== null
  }

  /** what is wrong with no field; null if nothing is */
  get fault(): Html | string | null {
    return this.#fault?.field === null ? this.#fault.text : null
  }
}

/** A page that no form has led to. */
export const NOTHING_TYPED = new TypedForm()

/** A refusal of what a field has, where its reason does not say which. */
export class FieldRefusal extends Refusal {
  readonly field: string

  constructor(field: string, { reason, message }: Refusal) {
    super(reason, message)
    this.field = field
  }
}

/** Parses a field. Throws a `FieldRefusal` where `parse` throws a `Refusal`. */
export const inField = <Value>(field: string, parse: () => Value): Value => {
  try {
    return parse()
  } catch (error) {
    throw error instanceof Refusal ? new FieldRefusal(field, error) : error
  }
}
