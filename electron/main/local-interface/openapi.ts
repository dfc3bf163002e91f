/** The OpenAPI 3.1 document of the local interface, from the table of its operations. */
import { toJsonSchema } from '@valibot/to-json-schema'
import { ERRORS, type ErrorName, sentencesOf } from './errors.ts'
import { type OperationDefinition, OPERATIONS } from './operations.ts'
import { type ComponentName, components } from './components.ts'

/** Errors of every request, before its operation is known. */
const OF_ALL: readonly ErrorName[] = [
  'bad-request',
  'host-not-allowed',
  'origin-not-allowed',
  'request-timeout',
  'headers-too-large',
  'internal'
]
const OF_PROGRAMS: readonly ErrorName[] = ['unauthorized', 'too-many-requests', 'too-many-at-once']
const schemaRef = (name: ComponentName) => ({ $ref: `#/components/schemas/${name}` })

const contentOf = (response: OperationDefinition['response']) => {
  switch (response) {
    case 'events':
      return { 'text/event-stream': { schema: { type: 'string' } } }
    case 'document':
      return { 'application/json': { schema: { type: 'object' } } }
    default:
      return { 'application/json': { schema: schemaRef(response) } }
  }
}

function responsesOf({ success, response, errors, nothing, isPublic = false }: OperationDefinition) {
  const names = [...errors, ...OF_ALL, ...(isPublic ? [] : OF_PROGRAMS)]
  const byStatus = Map.groupBy(names, (name) => ERRORS[name].status)
  return {
    ...Object.fromEntries(
      Object.entries(success).map(([status, description]) => [
        status,
        { description, content: contentOf(response) }
      ])
    ),
    ...Object.fromEntries(
      Array.from(byStatus, ([status, ofStatus]) => [
        String(status),
        {
          description: ofStatus.map((name) => `${name}: ${sentencesOf(name, nothing)}`).join(' '),
          content: contentOf('Error'),
          ...(status === 429 && {
            headers: { 'Retry-After': { description: 'seconds', schema: { type: 'integer' } } }
          })
        }
      ])
    )
  }
}

const bodyOf = (names: readonly ComponentName[]) => ({
  required: true,
  content: { 'application/json': { schema: { anyOf: names.map(schemaRef) } } }
})

function operationObject(operationId: string, definition: OperationDefinition) {
  const { summary, parameters, request, isPublic = false } = definition
  return {
    operationId,
    summary,
    ...(isPublic && { security: [] }),
    ...(parameters && {
      parameters: parameters.map((parameter) => ({ ...parameter, schema: { type: 'string' } }))
    }),
    ...(request && { requestBody: bodyOf(request) }),
    responses: responsesOf(definition)
  }
}

/** Returns the OpenAPI 3.1 document. @param version of the app */
export function openApiDocument(version: string, port: number) {
  const operations: readonly (readonly [string, OperationDefinition])[] = Object.entries(OPERATIONS)
  const byPath = Map.groupBy(operations, ([, { path }]) => path)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tillpoints, local interface',
      version,
      description:
        'Issues, credits and redeems loyalty points for the bills of a program on the same machine.'
    },
    servers: [{ url: `http://127.0.0.1:${String(port)}` }],
    security: [{ token: [] }],
    paths: Object.fromEntries(
      Array.from(byPath, ([path, atPath]) => [
        path,
        Object.fromEntries(
          atPath.map(([id, definition]) => [definition.method, operationObject(id, definition)])
        )
      ])
    ),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(
        Object.entries(components).map(([name, schema]) => {
          const jsonSchema = toJsonSchema(schema, {
            target: 'draft-2020-12',
            ignoreActions: ['trim'],
            // JSON Schema reads every pattern as the flag `u` does.
            overrideAction: ({ valibotAction: action, jsonSchema }) =>
              action.type === 'regex' && 'requirement' in action && action.requirement instanceof RegExp
                ? { ...jsonSchema, pattern: action.requirement.source }
                : null
          })
          // The document has one dialect for all schemas (OpenAPI 3.1, 4.8.24.5).
          delete jsonSchema.$schema
          return [name, jsonSchema]
        })
      )
    }
  }
}
