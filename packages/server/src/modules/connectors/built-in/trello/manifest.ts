import { filled, flag, inPath, inQuery, neededInQuery, text } from '#modules/connectors/built-in/parameters.ts'

const id = inPath()

/** Source: https://developer.atlassian.com/cloud/trello/rest. The key of the connection is the whole header of OAuth. */
export const trello = {
  connector: '1.0',
  title: 'Trello',
  servers: ['https://api.trello.com/1'],
  authentication: { kind: 'apiKey', in: 'header', name: 'Authorization' },
  operations: [
    {
      name: 'createCard',
      summary: 'Creates a card.',
      method: 'post',
      path: '/cards',
      parameters: {
        idList: neededInQuery(filled()),
        name: inQuery(text(16_384)),
        desc: inQuery(text(8_000)),
        due: inQuery(text()),
        idLabels: inQuery(text(2_000)),
        pos: inQuery({ enum: ['top', 'bottom'] }),
      },
    },
    { name: 'getCard', summary: 'Reads a card.', method: 'get', path: '/cards/{id}', parameters: { id } },
    {
      name: 'updateCard',
      summary: 'Changes, moves or archives a card.',
      method: 'put',
      path: '/cards/{id}',
      parameters: {
        id,
        name: inQuery(text(16_384)),
        desc: inQuery(text(8_000)),
        idList: inQuery(text()),
        due: inQuery(text()),
        closed: inQuery(flag),
      },
    },
    {
      name: 'commentOnCard',
      summary: 'Comments on a card.',
      method: 'post',
      path: '/cards/{id}/actions/comments',
      parameters: { id, text: neededInQuery(filled(8_000)) },
    },
    {
      name: 'listLists',
      summary: 'Reads the lists that are side by side; their id is in the address of the page.',
      method: 'get',
      path: '/boards/{id}/lists',
      parameters: { id },
    },
    { name: 'listCards', summary: 'Lists the cards of a list.', method: 'get', path: '/lists/{id}/cards', parameters: { id } },
  ],
}
