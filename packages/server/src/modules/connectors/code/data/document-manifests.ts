import type { JsonObject } from '@millrace/engine'
import { cells, columns, header, objectOf, rows } from './csv-manifests.ts'
import { charactersMax } from './limits.ts'

const base64: JsonObject = { type: 'string', minLength: 1, maxLength: charactersMax, description: 'The file as base64.' }

export const xmlParse = objectOf(['text'], {
  text: { type: 'string', minLength: 1, maxLength: charactersMax, description: 'The document.' },
  lists: {
    type: 'array',
    maxItems: 1_000,
    items: { type: 'string', maxLength: 200 },
    description: 'Names of elements that are lists even where there is one of them.',
  },
})
export const xmlDocument = objectOf(['document'], { document: { description: 'Elements as members, attributes with @, texts as #text.' } })
export const xmlWrite = objectOf(['document'], {
  document: { type: 'object', description: 'One member: the element at the root. Attributes begin with @, texts beside them are #text.' },
  indent: { type: 'boolean', description: 'Whether each element has a line of its own. False unless given.' },
})

export const spreadsheetRead = objectOf(['contentBase64'], {
  contentBase64: base64,
  sheet: {
    type: ['string', 'integer'],
    minimum: 1,
    maximum: 1_000,
    maxLength: 100,
    description: 'Name or number of the sheet; the first unless given.',
  },
  header,
})
export const spreadsheetRows = objectOf(['sheets', 'rows'], {
  sheets: { type: 'array', items: { type: 'string' }, description: 'Names of the sheets.' },
  rows: { type: 'array', items: cells },
})
const sheet = objectOf(['name', 'rows'], {
  name: { type: 'string', pattern: String.raw`^[^\\/*?:\[\]\x00-\x1f]{1,31}$`, description: 'As Excel allows it.' },
  rows,
  columns,
})
export const spreadsheetWrite = objectOf(['sheets'], {
  sheets: { type: 'array', minItems: 1, maxItems: 50, items: sheet, description: 'The sheets in their order.' },
})
export const fileOutput = objectOf(['contentBase64'], { contentBase64: { type: 'string' } })

export const pdfText = objectOf(['contentBase64'], { contentBase64: base64 })
export const pdfOutput = objectOf(['pageCount', 'pages'], {
  pageCount: { type: 'integer' },
  pages: { type: 'array', items: { type: 'string' }, description: 'The text of each page.' },
})

export const rssRead = objectOf(['url'], {
  url: { type: 'string', pattern: '^https?://', maxLength: 2_000, description: 'Address of the feed.' },
  itemsMax: { type: 'integer', minimum: 1, maximum: 500, description: 'Items from the beginning of the feed; 50 unless given.' },
})
const textOrNothing = { type: ['string', 'null'] }
const item = objectOf(['id', 'title', 'link', 'publishedAt', 'summary'], {
  id: textOrNothing,
  title: textOrNothing,
  link: textOrNothing,
  publishedAt: textOrNothing,
  summary: textOrNothing,
})
export const rssOutput = objectOf(['format', 'title', 'link', 'items'], {
  format: { enum: ['rss', 'rdf', 'atom', 'json'] },
  title: textOrNothing,
  link: textOrNothing,
  items: { type: 'array', items: item },
})
