import type { Converted } from '#src/import/n8n/converted.ts'
import type { NodeFields } from '#src/import/n8n/fields.ts'
import type { N8nNode } from '#src/import/n8n/read-export.ts'
import { at, type Data, isRecord, listOf, textOf } from '#src/import/value.ts'
import { shortType } from './apps.ts'
import { endpointOf } from './http.ts'

/** A node that another uses as its model, memory, tool or parser. */
export interface Attachment {
  readonly kind: string
  readonly node: N8nNode
  readonly fields: NodeFields
}

type EachConverted = Extract<Converted, { readonly as: 'each' }>

const answered = '{output: .answer, text: .answer}'

/** Whether a node is of the nodes of n8n for language models. */
export function isModelNode({ type }: N8nNode): boolean {
  return type.startsWith('@n8n/n8n-nodes-langchain.')
}

/** jq of a text parameter, whose default n8n takes from the chat that started the workflow. */
function promptOf(fields: NodeFields, key = 'text'): string {
  const value = fields.node.parameters[key]
  const given = value === undefined || value === '' ? '={{ $json.chatInput }}' : value
  return `(${fields.jq(typeof given === 'string' && given.includes('{{') && !given.startsWith('=') ? `=${given}` : given)} | if . == null or . == "" then ($item | tojson) else tostring end)`
}

/** Converts the nodes of n8n for language models, with what is attached to them. */
export function modelNode(fields: NodeFields, attached: readonly Attachment[]): Converted | undefined {
  const by: Readonly<Record<string, (fields: NodeFields, attached: readonly Attachment[]) => Converted | undefined>> = {
    agent,
    chainLlm,
    chainSummarization: (one) =>
      asked(one, 'Write a concise summary of the data.', undefined, '{response: {text: .text}, output: {text: .text}}', '$item'),
    informationExtractor: extractor,
    sentimentAnalysis: (one) =>
      asked(
        one,
        'Which sentiment does the text have?',
        enumOf('category', categoriesOf(one, ['Positive', 'Neutral', 'Negative'])),
        '{sentimentAnalysis: .data}',
        promptOf(one, 'inputText'),
      ),
    openAi: directly,
    textClassifier,
  }
  const convert = Object.hasOwn(by, shortType(fields.node.type)) ? by[shortType(fields.node.type)] : undefined
  return convert?.(fields, attached)
}

function agent(fields: NodeFields, attached: readonly Attachment[]): Converted {
  const tools = attached.flatMap((one) => (one.kind === 'ai_tool' ? toolOf(one) : [])).slice(0, 20)
  const system = at(fields.node.parameters, 'options', 'systemMessage')
  const goal =
    system === undefined || system === '' ? promptOf(fields) : `((${fields.jq(system)} | tostring) + "\\n\\n" + ${promptOf(fields)})`
  remark(fields, attached)
  const parser = schemaOf(attached)
  if (parser !== undefined && tools.length === 0) return asked(fields, '', parser, '{output: .data}', undefined, goal)
  return {
    as: 'each',
    task: { call: 'agent', with: { goal: `\${ ${goal} | .[0:20000] }`, ...(tools.length === 0 ? {} : { tools }) } },
    result: parser === undefined ? answered : '{output: (.answer | try fromjson catch .)}',
    gives: 'one',
  }
}

function chainLlm(fields: NodeFields, attached: readonly Attachment[]): Converted {
  remark(fields, attached)
  const schema = schemaOf(attached)
  const messages = listOf(at(fields.node.parameters, 'messages', 'messageValues')).map(
    (one) => `(${fields.jq(at(one, 'message') ?? '')} | tostring)`,
  )
  const before = messages.length === 0 ? '' : `${messages.join(' + "\\n\\n" + ')} + "\\n\\n" + `
  const result = schema === undefined ? '{text: .text, output: .text, response: {text: .text}}' : '{output: .data, text: .text}'
  return asked(fields, '', schema, result, undefined, `(${before}${promptOf(fields)})`)
}

function extractor(fields: NodeFields): Converted {
  const attributes = listOf(at(fields.node.parameters, 'attributes', 'attributes')).flatMap((one) => {
    const name = textOf(at(one, 'name'))
    return name === ''
      ? []
      : [
          {
            name,
            type: textOf(at(one, 'type')) || 'string',
            description: textOf(at(one, 'description')),
            required: at(one, 'required') === true,
          },
        ]
  })
  const types: Readonly<Record<string, Data>> = { number: { type: 'number' }, boolean: { type: 'boolean' } }
  const properties = Object.fromEntries(
    attributes.map(({ name, type, description }) => [
      name,
      { ...(Object.hasOwn(types, type) ? types[type] : { type: 'string' }), description },
    ]),
  )
  const schema =
    attributes.length > 0
      ? { type: 'object', properties, required: attributes.flatMap(({ name, required }) => (required ? [name] : [])) }
      : (parsedSchema(fields.node.parameters) ?? { type: 'object' })
  return asked(
    fields,
    'Extract the attributes of the schema from the text. Leave out what the text does not say.',
    schema,
    '{output: .data}',
    promptOf(fields),
  )
}

/** Classifies each item, and splits the items into one output for each category. */
function textClassifier(fields: NodeFields): Converted {
  const categories = listOf(at(fields.node.parameters, 'categories', 'categories')).map((one) => ({
    name: textOf(at(one, 'category')) || 'Other',
    description: textOf(at(one, 'description')),
  }))
  const names = categories.map(({ name }) => name)
  const described = categories.map(({ name, description }) => `${name}: ${description}`).join('\n')
  const prompt = `Which category fits the text?\n${described}`
  const converted = asked(fields, prompt, enumOf('category', names), '{category: .data.category}', promptOf(fields, 'inputText'))
  const split = `map(.category) as $found | [${JSON.stringify(names)}[] as $name | [range($found | length) as $n | select($found[$n] == $name) | $input[$n]]]`
  return { ...converted, split, outputs: Math.max(1, names.length) }
}

function directly(fields: NodeFields, attached: readonly Attachment[]): Converted | undefined {
  const { parameters } = fields.node
  const resource = textOf(parameters['resource']) || 'text'
  const operation = textOf(parameters['operation']) || 'message'
  if (resource !== 'text' || !['message', 'response', 'classify'].includes(operation)) return undefined
  remark(fields, attached)
  const messages = listOf(at(parameters, 'messages', 'values') ?? at(parameters, 'responses', 'values')).map(
    (one) => `(${fields.jq(at(one, 'content') ?? '')} | tostring)`,
  )
  const prompt =
    operation === 'classify'
      ? promptOf(fields, 'input')
      : messages.length === 0
        ? '($item | tojson)'
        : `(${messages.join(' + "\\n\\n" + ')})`
  const content = parameters['jsonOutput'] === true ? '(.text | try fromjson catch .)' : '.text'
  return asked(fields, '', undefined, `{message: {role: "assistant", content: ${content}}, text: .text, output: .text}`, undefined, prompt)
}

function asked(
  fields: NodeFields,
  instruction: string,
  schema: Data | undefined,
  result: string,
  data?: string,
  prompt?: string,
): EachConverted {
  const text = prompt === undefined ? instruction : `\${ ${prompt} | if . == "" then "Continue." else .[0:200000] end }`
  fields.report('adapted', 'A configured model of the installation takes the place of the model of n8n.')
  return {
    as: 'each',
    task: {
      call: 'model',
      with: { prompt: text, ...(data === undefined ? {} : { data: `\${ ${data} }` }), ...(schema === undefined ? {} : { schema }) },
    },
    result,
  }
}

function enumOf(name: string, values: readonly string[]): Data {
  return {
    type: 'object',
    required: [name],
    additionalProperties: false,
    properties: { [name]: { enum: values.length === 0 ? ['Other'] : [...new Set(values)] } },
  }
}

function categoriesOf(fields: NodeFields, fallback: readonly string[]): readonly string[] {
  const list = textOf(at(fields.node.parameters, 'options', 'categories'))
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  return list.length === 0 ? fallback : list
}

/** The schema of an output parser that is attached. */
function schemaOf(attached: readonly Attachment[]): Data | undefined {
  const parser = attached.find(({ kind, node }) => kind === 'ai_outputParser' && shortType(node.type) === 'outputParserStructured')
  return parser === undefined ? undefined : parsedSchema(parser.node.parameters)
}

/** A JSON Schema as text, or that of an example. */
function parsedSchema(parameters: Data): Data | undefined {
  const [schema, example] = [parsed(parameters['inputSchema'] ?? parameters['jsonSchema']), parsed(parameters['jsonSchemaExample'])]
  if (schema !== undefined && (schema['type'] === 'object' || isRecord(schema['properties']))) return { ...schema, type: 'object' }
  const found = example ?? schema
  return found === undefined ? undefined : schemaOfExample(found, 0)
}

function parsed(text: unknown): Data | undefined {
  try {
    const value: unknown = JSON.parse(textOf(text).replace(/^=/, ''))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function schemaOfExample(value: unknown, depth: number): Data {
  if (depth > 20 || value === null) return {}
  if (Array.isArray(value)) return { type: 'array', ...(value.length === 0 ? {} : { items: schemaOfExample(value[0], depth + 1) }) }
  if (isRecord(value))
    return {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(value)
          .slice(0, 200)
          .map(([key, one]) => [key, schemaOfExample(one, depth + 1)]),
      ),
      required: Object.keys(value).slice(0, 200),
    }
  return { type: typeof value }
}

/** The tool of an agent that a node is: a request to a fixed address, or a workflow. */
function toolOf({ node, fields }: Attachment): Data[] {
  const type = shortType(node.type)
  const name =
    (textOf(node.parameters['name']) || node.name)
      .replace(/[^A-Za-z0-9_-]+/g, '_')
      .replace(/^[^A-Za-z]+/, '')
      .slice(0, 40) || 'tool'
  const description = (textOf(node.parameters['toolDescription']) || textOf(node.parameters['description']) || node.name).slice(0, 2000)
  if (type === 'toolHttpRequest' || type === 'httpRequestTool') {
    const url = textOf(node.parameters['url'])
    const method = textOf(node.parameters['method']) || 'GET'
    if (
      !/^https?:\/\/[^\s/{}?#@]+(\/[^\s?#{}]*)?$/.test(url) ||
      endpointOf(fields, url).startsWith('${') ||
      !/^(GET|POST|PUT|PATCH|DELETE)$/.test(method)
    ) {
      fields.report('not_converted', 'The address of the tool is not fixed. Add it to the tools of the agent with its arguments.')
      return []
    }
    return [{ kind: 'http', name, description, url, ...(method === 'GET' ? {} : { method, body: { type: 'object' } }) }]
  }
  if (type === 'toolWorkflow') {
    const workflow = textOf(
      at(node.parameters, 'workflowId', 'cachedResultName') ?? at(node.parameters, 'workflowId', 'value') ?? node.parameters['workflowId'],
    )
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60)
    fields.report('adapted', `Becomes a tool that runs the workflow "${workflow}" of the namespace imported. Import that workflow too.`)
    return workflow === '' ? [] : [{ kind: 'workflow', name, description, namespace: 'imported', workflow }]
  }
  if (type === 'toolThink' || type === 'toolCalculator') {
    fields.report('adapted', 'The agent does this without a tool.')
    return []
  }
  fields.report(
    'not_converted',
    `The tool ${type} has no counterpart: the agent runs without it. Add a tool of the kind http, workflow or mcp.`,
  )
  return []
}

/** Reports what takes the place of the other attached nodes. */
function remark(fields: NodeFields, attached: readonly Attachment[]): void {
  for (const { kind, node, fields: of } of attached) {
    if (kind === 'ai_languageModel') of.report('adapted', 'A configured model of the installation takes its place.')
    else if (kind === 'ai_memory')
      of.report('adapted', 'The conversation is not kept between executions: pass earlier messages in the input.')
    else if (kind === 'ai_outputParser')
      of.report(
        'adapted',
        shortType(node.type) === 'outputParserStructured'
          ? 'Its schema is that of the result.'
          : 'The result follows the schema without it.',
      )
    else if (kind !== 'ai_tool')
      of.report('not_converted', `It serves "${fields.node.name}" as ${kind.slice(0, 40)}, which has no counterpart.`)
  }
}
