import { inBody, inPath, inQuery, list, neededInBody, record, text, whole } from '#modules/connectors/built-in/parameters.ts'

const contactId = inPath()

/** Source: https://developers.hubspot.com/docs/api/crm. */
export const hubspot = {
  connector: '1.0',
  title: 'HubSpot',
  servers: ['https://api.hubapi.com'],
  authentication: { kind: 'bearer' },
  operations: [
    {
      name: 'createContact',
      summary: 'Creates a contact.',
      method: 'post',
      path: '/crm/v3/objects/contacts',
      parameters: { properties: neededInBody(record, 'Such as email, firstname and lastname.'), associations: inBody(list(100, record)) },
    },
    {
      name: 'getContact',
      summary: 'Reads a contact.',
      method: 'get',
      path: '/crm/v3/objects/contacts/{contactId}',
      parameters: {
        contactId,
        properties: inQuery(text(2_000), 'Names with commas between them.'),
        idProperty: inQuery(text(), 'Such as email, to name the contact by it.'),
      },
    },
    {
      name: 'updateContact',
      summary: 'Changes a contact.',
      method: 'patch',
      path: '/crm/v3/objects/contacts/{contactId}',
      parameters: { contactId, properties: neededInBody(record), idProperty: inQuery(text()) },
    },
    {
      name: 'searchContacts',
      summary: 'Finds contacts.',
      method: 'post',
      path: '/crm/v3/objects/contacts/search',
      parameters: {
        query: inBody(text(3_000)),
        filterGroups: inBody(list(5, record)),
        properties: inBody(list(100, text())),
        limit: inBody(whole(1, 200)),
        after: inBody(text()),
      },
    },
    {
      name: 'createDeal',
      summary: 'Creates a deal.',
      method: 'post',
      path: '/crm/v3/objects/deals',
      parameters: { properties: neededInBody(record, 'Such as dealname, dealstage and amount.'), associations: inBody(list(100, record)) },
    },
    {
      name: 'updateDeal',
      summary: 'Changes a deal.',
      method: 'patch',
      path: '/crm/v3/objects/deals/{dealId}',
      parameters: { dealId: inPath(), properties: neededInBody(record) },
    },
  ],
}
