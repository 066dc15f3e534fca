import { filled, inPath, inQuery, neededInBody, neededInQuery, record, text, whole } from '#modules/connectors/built-in/parameters.ts'

const ticket_id = inPath()

/** Source: https://developer.zendesk.com/api-reference/ticketing. The user name is MAIL/token and the password an API token. */
export const zendesk = {
  connector: '1.0',
  title: 'Zendesk',
  servers: ['https://your-company.zendesk.com'],
  authentication: { kind: 'basic' },
  operations: [
    {
      name: 'createTicket',
      summary: 'Creates a ticket.',
      method: 'post',
      path: '/api/v2/tickets.json',
      parameters: { ticket: neededInBody(record, 'With `comment`.') },
    },
    { name: 'getTicket', summary: 'Reads a ticket.', method: 'get', path: '/api/v2/tickets/{ticket_id}.json', parameters: { ticket_id } },
    {
      name: 'updateTicket',
      summary: 'Changes or answers a ticket.',
      method: 'put',
      path: '/api/v2/tickets/{ticket_id}.json',
      parameters: { ticket_id, ticket: neededInBody(record) },
    },
    {
      name: 'search',
      summary: 'Finds tickets and users.',
      method: 'get',
      path: '/api/v2/search.json',
      parameters: { query: neededInQuery(filled(2_000)), sort_by: inQuery(text()), per_page: inQuery(whole(1, 100)) },
    },
  ],
}
