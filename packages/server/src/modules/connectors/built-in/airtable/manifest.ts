import { flag, inBody, inPath, inQuery, list, neededInBody, record, text, whole } from '#modules/connectors/built-in/parameters.ts'

const baseId = inPath('Begins with app.')
const table = inPath('Id or name of the table.')

/** Source: https://airtable.com/developers/web/api. */
export const airtable = {
  connector: '1.0',
  title: 'Airtable',
  servers: ['https://api.airtable.com'],
  authentication: { kind: 'bearer' },
  operations: [
    {
      name: 'listRecords',
      summary: 'Lists records of a table.',
      method: 'get',
      path: '/v0/{baseId}/{table}',
      parameters: {
        baseId,
        table,
        filterByFormula: inQuery(text(10_000)),
        view: inQuery(text()),
        maxRecords: inQuery(whole(1, 100_000)),
        pageSize: inQuery(whole(1, 100)),
        offset: inQuery(text()),
      },
    },
    {
      name: 'getRecord',
      summary: 'Reads a record.',
      method: 'get',
      path: '/v0/{baseId}/{table}/{recordId}',
      parameters: { baseId, table, recordId: inPath() },
    },
    {
      name: 'createRecords',
      summary: 'Creates up to ten records.',
      method: 'post',
      path: '/v0/{baseId}/{table}',
      parameters: { baseId, table, records: neededInBody(list(10, record), 'Each with `fields`.'), typecast: inBody(flag) },
    },
    {
      name: 'updateRecords',
      summary: 'Changes fields of up to ten records, or makes those that are missing.',
      method: 'patch',
      path: '/v0/{baseId}/{table}',
      parameters: {
        baseId,
        table,
        records: neededInBody(list(10, record), 'Each with `id` and `fields`.'),
        performUpsert: inBody(record, 'With `fieldsToMergeOn`.'),
        typecast: inBody(flag),
      },
    },
    {
      name: 'deleteRecord',
      summary: 'Deletes a record.',
      method: 'delete',
      path: '/v0/{baseId}/{table}/{recordId}',
      parameters: { baseId, table, recordId: inPath() },
    },
  ],
}
