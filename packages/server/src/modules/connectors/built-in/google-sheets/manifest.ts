const spreadsheetId = { in: 'path', schema: { type: 'string', minLength: 1 }, description: 'The part of the address after /d/.' }
const range = { in: 'path', schema: { type: 'string', minLength: 1 }, description: 'In A1 notation, such as Orders!A1:D20.' }
const values = {
  in: 'body',
  required: true,
  schema: { type: 'array', items: { type: 'array' }, maxItems: 10_000 },
  description: 'Rows, each a list of cells.',
}
const valueInputOption = {
  in: 'query',
  required: true,
  schema: { enum: ['RAW', 'USER_ENTERED'] },
  description: 'RAW keeps texts as they are; USER_ENTERED reads them as if a person typed them, formulas included.',
}
const base = '/v4/spreadsheets/{spreadsheetId}/values/{range}'

/** Source: https://developers.google.com/sheets/api. */
export const googleSheets = {
  connector: '1.0',
  title: 'Google Sheets',
  servers: ['https://sheets.googleapis.com'],
  authentication: { kind: 'bearer' },
  operations: [
    {
      name: 'readValues',
      summary: 'Reads cells.',
      method: 'get',
      path: base,
      parameters: {
        spreadsheetId,
        range,
        valueRenderOption: { in: 'query', schema: { enum: ['FORMATTED_VALUE', 'UNFORMATTED_VALUE', 'FORMULA'] } },
      },
    },
    {
      name: 'appendValues',
      summary: 'Adds rows after a table.',
      method: 'post',
      path: `${base}:append`,
      parameters: { spreadsheetId, range, values, valueInputOption },
    },
    {
      name: 'updateValues',
      summary: 'Writes cells.',
      method: 'put',
      path: base,
      parameters: { spreadsheetId, range, values, valueInputOption },
    },
    { name: 'clearValues', summary: 'Empties cells.', method: 'post', path: `${base}:clear`, parameters: { spreadsheetId, range } },
  ],
}
