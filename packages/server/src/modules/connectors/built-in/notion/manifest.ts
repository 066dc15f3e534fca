import { flag, inBody, inPath, inQuery, list, neededInBody, record, text, whole } from '#modules/connectors/built-in/parameters.ts'

const page_id = inPath()
const block_id = inPath('Id of a block or page.')

/** Source: https://developers.notion.com/reference. */
export const notion = {
  connector: '1.0',
  title: 'Notion',
  servers: ['https://api.notion.com'],
  authentication: { kind: 'bearer' },
  headers: { 'notion-version': '2022-06-28' },
  operations: [
    {
      name: 'createPage',
      summary: 'Creates a page, or a row of a database.',
      method: 'post',
      path: '/v1/pages',
      parameters: {
        parent: neededInBody(record, 'Such as {"database_id": "…"}.'),
        properties: neededInBody(record),
        children: inBody(list(100, record)),
        icon: inBody(record),
      },
    },
    { name: 'getPage', summary: 'Reads the properties of a page.', method: 'get', path: '/v1/pages/{page_id}', parameters: { page_id } },
    {
      name: 'updatePage',
      summary: 'Changes properties of a page, or archives it.',
      method: 'patch',
      path: '/v1/pages/{page_id}',
      parameters: { page_id, properties: inBody(record), archived: inBody(flag) },
    },
    {
      name: 'queryDatabase',
      summary: 'Lists rows of a database.',
      method: 'post',
      path: '/v1/databases/{database_id}/query',
      parameters: {
        database_id: inPath(),
        filter: inBody(record),
        sorts: inBody(list(100, record)),
        page_size: inBody(whole(1, 100)),
        start_cursor: inBody(text()),
      },
    },
    {
      name: 'listBlocks',
      summary: 'Lists the content of a page or block.',
      method: 'get',
      path: '/v1/blocks/{block_id}/children',
      parameters: { block_id, page_size: inQuery(whole(1, 100)), start_cursor: inQuery(text()) },
    },
    {
      name: 'appendBlocks',
      summary: 'Adds content to a page or block.',
      method: 'patch',
      path: '/v1/blocks/{block_id}/children',
      parameters: { block_id, children: neededInBody(list(100, record)) },
    },
    {
      name: 'search',
      summary: 'Finds pages and databases by their title.',
      method: 'post',
      path: '/v1/search',
      parameters: { query: inBody(text()), filter: inBody(record), page_size: inBody(whole(1, 100)), start_cursor: inBody(text()) },
    },
  ],
}
