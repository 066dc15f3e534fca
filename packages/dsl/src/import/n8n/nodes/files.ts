import { type Converted, type Converter } from '#src/import/n8n/converted.ts'
import type { NodeFields } from '#src/import/n8n/fields.ts'
import { at, textOf } from '#src/import/value.ts'
import { path } from './flow.ts'
import { endpointOf } from './http.ts'

const readFrom =
  'The content is read from the member data of the item, where a request puts the text, or the bytes as base64, that it has received.'

/** jq of the text of a file. Files of n8n are members of an item; here what a request has returned stands in `data`, bytes as base64. */
function contentOf({ node: { parameters } }: NodeFields): string {
  const name = textOf(parameters['binaryPropertyName']) || 'data'
  const own = name === 'data' || name.startsWith('=') ? '' : `$item[${JSON.stringify(name)}] // `
  return `((${own}$item.data // $item) | if type == "string" then . else tojson end)`
}

/** Rows as items: objects by the names of columns, or `{ row }` of a table without names. */
const rowsAsItems = '.rows[] | if type == "array" then {row: .} else . end'

function calls(name: string, args: object, result: string): Converted {
  return { as: 'each', task: { call: name, with: args }, result }
}

function headerOf(fields: NodeFields): object {
  return at(fields.node.parameters, 'options', 'headerRow') === false ? { header: false } : {}
}

const extractFromFile: Converter = (fields) => {
  const { parameters } = fields.node
  const operation = textOf(parameters['operation']) || 'csv'
  const target = JSON.stringify(textOf(parameters['destinationKey']) || 'data')
  const text = contentOf(fields)
  const converted = ((): Converted | undefined => {
    switch (operation) {
      case 'text':
      case 'html':
      case 'xml':
        return { as: 'map', jq: `{${target}: ${text}}`, gives: 'one' }
      case 'fromJson':
      case 'json':
        return { as: 'map', jq: `{${target}: (${text} | try fromjson catch null)}`, gives: 'one' }
      // As n8n spells it.
      case 'binaryToPropery':
        return {
          as: 'map',
          jq: `{${target}: (${text} | if test("^[A-Za-z0-9+/]+={0,2}$") and (length % 4 == 0) then . else @base64 end)}`,
          gives: 'one',
        }
      case 'csv':
        return calls('csv.parse', { text: `\${ ${text} }`, ...delimiterOf(fields), ...headerOf(fields) }, rowsAsItems)
      case 'pdf':
        return calls('pdf.text', { contentBase64: `\${ ${text} }` }, '{text: (.pages | join("\\n")), numpages: .pageCount}')
      case 'xlsx':
        return readSpreadsheet(fields)
      default:
        return undefined
    }
  })()
  if (converted !== undefined) fields.report('adapted', readFrom)
  return converted
}

function delimiterOf({ node }: NodeFields): object {
  const delimiter = textOf(at(node.parameters, 'options', 'delimiter'))
  return [';', '\t', '|'].includes(delimiter) ? { delimiter } : {}
}

function readSpreadsheet(fields: NodeFields): Converted {
  const sheet = textOf(at(fields.node.parameters, 'options', 'sheetName'))
  const args = {
    contentBase64: `\${ ${contentOf(fields)} }`,
    ...(sheet === '' || sheet.startsWith('=') ? {} : { sheet }),
    ...headerOf(fields),
  }
  return calls('spreadsheet.read', args, rowsAsItems)
}

function writeSpreadsheet(fields: NodeFields): Converted {
  const { parameters } = fields.node
  const given = textOf(parameters['fileName']) || textOf(at(parameters, 'options', 'fileName')) || 'file.xlsx'
  const sheet = textOf(at(parameters, 'options', 'sheetName')) || 'Sheet'
  const rows = '${ . | map(if type == "object" then . else {data: .} end) }'
  fields.report('adapted', 'The workbook becomes the members fileName and data, as base64, of an item.')
  return {
    as: 'once',
    task: { call: 'spreadsheet.write', with: { sheets: [{ name: sheet.startsWith('=') ? 'Sheet' : sheet.slice(0, 31), rows }] } },
    result: `[{fileName: ${JSON.stringify(given)}, data: .contentBase64}]`,
  }
}

const spreadsheetFile: Converter = (fields) => {
  const { parameters } = fields.node
  const operation = textOf(parameters['operation']) || 'fromFile'
  const format = textOf(parameters['fileFormat']) || 'xlsx'
  if (operation === 'toFile') return format === 'xlsx' ? writeSpreadsheet(fields) : undefined
  if (operation !== 'fromFile' || !['xlsx', 'autodetect'].includes(format)) return undefined
  fields.report('adapted', `${readFrom} It must be a workbook of Excel (xlsx).`)
  return readSpreadsheet(fields)
}

const convertToFile: Converter = (fields) => {
  const { parameters } = fields.node
  const operation = textOf(parameters['operation']) || 'csv'
  if (operation === 'xlsx') return writeSpreadsheet(fields)
  const name = JSON.stringify(textOf(parameters['fileName']) || textOf(at(parameters, 'options', 'fileName')) || 'file')
  const cell = 'if . == null then "" elif type == "string" then . else tojson end'
  const csv = `($items[0] // {} | keys_unsorted) as $names | ([${at(parameters, 'options', 'headerRow') === false ? '' : '($names | @csv), '}($items[] as $one | [$names[] | $one[.] | ${cell}] | @csv)] | join("\n"))`
  const converted = ((): Converted | undefined => {
    const isEach = parameters['mode'] === 'each'
    if (operation === 'toText')
      return {
        as: 'map',
        jq: `{fileName: ${name}, data: ($item | ${path(textOf(parameters['sourceProperty']) || 'data')} | tostring)}`,
        gives: 'one',
      }
    if (operation === 'toJson' && isEach) return { as: 'map', jq: `{fileName: ${name}, data: ($item | tojson)}`, gives: 'one' }
    if (operation === 'toJson') return { as: 'jq', jq: `[{fileName: ${name}, data: ($items | tojson)}]`, gives: 'one' }
    return operation === 'csv' ? { as: 'jq', jq: `[{fileName: ${name}, data: (${csv})}]`, gives: 'one' } : undefined
  })()
  if (converted !== undefined) fields.report('adapted', 'The file becomes the members fileName and data of an item.')
  return converted
}

const rssFeedRead: Converter = (fields) => {
  const url = textOf(fields.node.parameters['url'])
  const source = url.includes('{{') && !url.startsWith('=') ? `=${url}` : url
  return calls(
    'rss.read',
    { url: endpointOf(fields, source) },
    '.items[] | {title, link, guid: .id, content: .summary, contentSnippet: .summary, pubDate: .publishedAt, isoDate: .publishedAt}',
  )
}

const xml: Converter = (fields) => {
  const { parameters } = fields.node
  const name = textOf(parameters['dataPropertyName']) || 'data'
  const value = name.startsWith('=') ? '$item.data' : `$item[${JSON.stringify(name)}]`
  if (textOf(parameters['mode']) === 'jsonToxml') {
    fields.report('adapted', 'The item is written below one element, root; attributes are members that begin with @.')
    return calls('xml.write', { document: '${ {root: $item} }' }, `{${JSON.stringify(name)}: .text}`)
  }
  fields.report('adapted', 'Attributes are members that begin with @, and text beside them is #text.')
  return calls('xml.parse', { text: `\${ ${value} | if type == "string" then . else tojson end }` }, '.document')
}

export const fileNodes: Readonly<Record<string, Converter>> = {
  extractFromFile,
  convertToFile,
  spreadsheetFile,
  rssFeedRead,
  xml,
}
