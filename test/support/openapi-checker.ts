/** Checks answers of the local interface against the OpenAPI document that it serves. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import * as v from 'valibot'

const documentSchema = v.object({
  paths: v.record(
    v.string(),
    v.record(
      v.string(),
      v.object({
        responses: v.record(
          v.string(),
          v.object({ content: v.record(v.string(), v.object({ schema: v.record(v.string(), v.unknown()) })) })
        )
      })
    )
  )
})

/** An answer to check. */
export interface CheckedAnswer {
  readonly method: string
  /** without the query */
  readonly path: string
  readonly status: number
  readonly contentType: string
  /** parsed, if it is JSON */
  readonly body: unknown
}

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Knows one document. */
export class OpenApiChecker {
  /** By the document without its address: most tests open the same interface, and compiling takes a third of their time. */
  static readonly #checkers = new Map<string, OpenApiChecker>()

  static of(document: object): OpenApiChecker {
    const text = JSON.stringify({ ...document, servers: undefined })
    const checker = this.#checkers.get(text) ?? new OpenApiChecker(document)
    this.#checkers.set(text, checker)
    return checker
  }

  readonly #ajv = new Ajv2020({ strict: true, allErrors: true })
  readonly #paths: v.InferOutput<typeof documentSchema>['paths']
  readonly #validators = new Map<string, ValidateFunction>()

  private constructor(document: object) {
    this.#paths = v.parse(documentSchema, document).paths
    // The keywords of the document around the schemas are not those of JSON Schema.
    this.#ajv.addVocabulary(['openapi', 'info', 'servers', 'security', 'paths', 'components'])
    this.#ajv.addSchema(document, 'document')
  }

  /** Throws for an answer that the document does not describe. */
  check({ method, path, status, contentType, body }: CheckedAnswer): void {
    const template = Object.keys(this.#paths).find((candidate) =>
      new RegExp(`^${candidate.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)
    )
    const operation = template === undefined ? undefined : this.#paths[template]?.[method.toLowerCase()]
    // A path or a method that the interface does not have: only the form of the error is known.
    const pointer =
      template === undefined || operation === undefined
        ? '#/components/schemas/Error'
        : `#/paths/${escapePointer(template)}/${method.toLowerCase()}/responses/${status}/content/${escapePointer(contentType)}/schema`
    if (operation !== undefined && operation.responses[status]?.content[contentType] === undefined)
      throw new Error(`${method} ${path}: ${status} as ${contentType} is not in the document`)
    if (contentType !== 'application/json') return
    const validate = this.#validator(pointer)
    if (!validate(body))
      throw new Error(
        `${method} ${path} ${status}: ${this.#ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`
      )
  }

  #validator(pointer: string): ValidateFunction {
    const known = this.#validators.get(pointer)
    if (known !== undefined) return known
    const compiled = this.#ajv.compile({ $ref: `document${pointer}` })
    this.#validators.set(pointer, compiled)
    return compiled
  }
}
