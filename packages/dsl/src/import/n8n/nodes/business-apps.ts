import { type App, type AppOperation, bearer } from './app.ts'

const basic = '"Authorization": ("Basic " + (SECRET | @base64))'
const fields = '(<additionalFields> // {})'
const changes = '(<updateFields> // {})'

/** Create, read, list, change and delete of a REST collection. */
function records(
  resource: string,
  path: string,
  id: string,
  { list = '.[]?', one = '.', create = fields, wrap = '', method = 'put' } = {},
) {
  const wrapped = (jq: string) => (wrap === '' ? jq : `{${wrap}: (${jq})}`)
  const operations: Record<string, AppOperation> = {
    [`${resource}.create`]: ['post', path, wrapped(create), one],
    [`${resource}.get`]: ['get', `${path}/<${id}>`, '', one],
    [`${resource}.getAll`]: ['get', path, '', list],
    [`${resource}.update`]: [method, `${path}/<${id}>`, wrapped(changes), one],
    [`${resource}.delete`]: ['delete', `${path}/<${id}>`],
  }
  return operations
}

/** Sales, support, shops, marketing and project management. */
export const businessApps: Readonly<Record<string, App>> = {
  salesforce: {
    base: 'https://<secret.salesforce_host>/services/data/v61.0',
    auth: bearer,
    resource: 'lead',
    operation: 'create',
    operations: {
      'search.query': ['get', '/query?q=<query>', '', '.records[]?'],
      'lead.create': ['post', '/sobjects/Lead', `{Company: <company>, LastName: <lastname>} + ${fields}`],
      'contact.create': ['post', '/sobjects/Contact', `{LastName: <lastname>} + ${fields}`],
      'contact.upsert': ['patch', '/sobjects/Contact/<externalId>/<externalIdValue>', `{LastName: <lastname>} + ${fields}`],
      'account.create': ['post', '/sobjects/Account', `{Name: <name>} + ${fields}`],
      'opportunity.create': ['post', '/sobjects/Opportunity', `{Name: <name>, CloseDate: <closeDate>, StageName: <stageName>} + ${fields}`],
      'task.create': ['post', '/sobjects/Task', `{Status: <status>} + ${fields}`],
      'case.create': ['post', '/sobjects/Case', `{Type: <type>} + ${fields}`],
      'account.get': ['get', '/sobjects/Account/<accountId>'],
      'account.getAll': ['get', '/query?q=SELECT%20FIELDS(STANDARD)%20FROM%20Account%20LIMIT%20200', '', '.records[]?'],
      'contact.getAll': ['get', '/query?q=SELECT%20FIELDS(STANDARD)%20FROM%20Contact%20LIMIT%20200', '', '.records[]?'],
      'lead.getAll': ['get', '/query?q=SELECT%20FIELDS(STANDARD)%20FROM%20Lead%20LIMIT%20200', '', '.records[]?'],
      'customObject.create': [
        'post',
        '/sobjects/<customObject>',
        '((<customFieldsUi.customFieldsValues> // []) | map({key: .fieldId, value}) | from_entries)',
      ],
      'customObject.get': ['get', '/sobjects/<customObject>/<recordId>'],
      'customObject.getAll': ['get', '/query?q=SELECT%20FIELDS(STANDARD)%20FROM%20<customObject>%20LIMIT%20200', '', '.records[]?'],
    },
  },
  mailchimp: {
    base: 'https://<secret.mailchimp_server>.api.mailchimp.com/3.0',
    auth: bearer,
    resource: 'member',
    operation: 'create',
    operations: {
      'member.create': [
        'post',
        '/lists/<list>/members',
        '{email_address: <email>, status: <status>, merge_fields: ((<mergeFieldsUi.mergeFieldsValues> // []) | map({key: .name, value}) | from_entries)}',
      ],
      'member.get': ['get', '/lists/<list>/members/<email>'],
      'member.getAll': ['get', '/lists/<list>/members', '', '.members[]?'],
      'member.update': ['patch', '/lists/<list>/members/<email>', changes],
      'member.delete': ['delete', '/lists/<list>/members/<email>'],
      'memberTag.create': ['post', '/lists/<list>/members/<email>/tags', '{tags: [<tags>[]? | {name: ., status: "active"}]}'],
      'campaign.getAll': ['get', '/campaigns', '', '.campaigns[]?'],
      'listGroup.getAll': ['get', '/lists/<list>/interest-categories/<groupCategory>/interests', '', '.interests[]?'],
    },
  },
  wooCommerce: {
    base: 'https://<secret.woocommerce_host>/wp-json/wc/v3',
    auth: basic,
    resource: 'product',
    operation: 'create',
    operations: {
      ...records('product', '/products', 'productId', { create: `{name: <name>} + ${fields}` }),
      ...records('order', '/orders', 'orderId'),
      ...records('customer', '/customers', 'customerId', { create: `{email: <email>} + ${fields}` }),
    },
  },
  shopify: {
    base: 'https://<secret.shopify_shop>.myshopify.com/admin/api/2024-07',
    auth: '"X-Shopify-Access-Token": SECRET',
    resource: 'order',
    operation: 'create',
    operations: {
      'order.get': ['get', '/orders/<orderId>.json', '', '.order'],
      'order.getAll': ['get', '/orders.json', '', '.orders[]?'],
      'order.update': ['put', '/orders/<orderId>.json', `{order: ${changes}}`, '.order'],
      'order.delete': ['delete', '/orders/<orderId>.json'],
      'product.create': ['post', '/products.json', `{product: ({title: <title>} + ${fields})}`, '.product'],
      'product.get': ['get', '/products/<productId>.json', '', '.product'],
      'product.getAll': ['get', '/products.json', '', '.products[]?'],
      'product.update': ['put', '/products/<productId>.json', `{product: ${changes}}`, '.product'],
    },
  },
  stripe: {
    base: 'https://api.stripe.com/v1',
    auth: bearer,
    resource: 'balance',
    operation: 'get',
    operations: {
      'balance.get': ['get', '/balance'],
      'charge.get': ['get', '/charges/<chargeId>'],
      'charge.getAll': ['get', '/charges', '', '.data[]?'],
      'customer.get': ['get', '/customers/<customerId>'],
      'customer.getAll': ['get', '/customers', '', '.data[]?'],
      'customer.delete': ['delete', '/customers/<customerId>'],
      'coupon.getAll': ['get', '/coupons', '', '.data[]?'],
    },
  },
  trello: {
    base: 'https://api.trello.com/1',
    auth: '"Authorization": SECRET',
    resource: 'card',
    operation: 'create',
    operations: {
      'card.create': ['post', '/cards', '{idList: <listId>, name: <name>, desc: <description>}'],
      'card.get': ['get', '/cards/<id|cardId>'],
      'card.update': ['put', '/cards/<id|cardId>', changes],
      'card.delete': ['delete', '/cards/<id|cardId>'],
      'cardComment.create': ['post', '/cards/<cardId>/actions/comments', '{text: <text>}'],
      'list.getAll': ['get', '/boards/<id>/lists'],
      'list.getCards': ['get', '/lists/<id>/cards'],
      'checklist.getAll': ['get', '/cards/<cardId>/checklists'],
    },
  },
  clickUp: {
    base: 'https://api.clickup.com/api/v2',
    auth: '"Authorization": SECRET',
    resource: 'task',
    operation: 'create',
    operations: {
      'task.create': ['post', '/list/<list>/task', `{name: <name>} + ${fields}`],
      'task.get': ['get', '/task/<id>'],
      'task.getAll': ['get', '/list/<list>/task', '', '.tasks[]?'],
      'task.update': ['put', '/task/<id>', changes],
      'task.delete': ['delete', '/task/<id>'],
      'comment.create': ['post', '/task/<id>/comment', '{comment_text: <commentText>}'],
    },
  },
  todoist: {
    base: 'https://api.todoist.com/rest/v2',
    auth: bearer,
    resource: 'task',
    operation: 'create',
    operations: {
      'task.create': ['post', '/tasks', '{content: <content>, project_id: <project>}'],
      'task.get': ['get', '/tasks/<taskId>'],
      'task.getAll': ['get', '/tasks'],
      'task.close': ['post', '/tasks/<taskId>/close'],
      'task.reopen': ['post', '/tasks/<taskId>/reopen'],
      'task.update': ['post', '/tasks/<taskId>', changes],
      'task.delete': ['delete', '/tasks/<taskId>'],
    },
  },
  mondayCom: {
    base: 'https://api.monday.com/v2',
    auth: '"Authorization": SECRET',
    resource: 'boardItem',
    operation: 'create',
    operations: {
      'boardItem.create': [
        'post',
        '',
        '{query: "mutation($b: ID!, $g: String, $n: String!) { create_item(board_id: $b, group_id: $g, item_name: $n) { id } }", variables: {b: <boardId>, g: <groupId>, n: <name>}}',
        '.data.create_item',
      ],
      'boardItem.get': [
        'post',
        '',
        '{query: "query($i: [ID!]) { items(ids: $i) { id name column_values { id text value } } }", variables: {i: [<itemId>]}}',
        '.data.items[]?',
      ],
      'boardItem.getAll': [
        'post',
        '',
        '{query: "query($b: [ID!]) { boards(ids: $b) { items_page(limit: 100) { items { id name column_values { id text value } } } } }", variables: {b: [<boardId>]}}',
        '.data.boards[]?.items_page.items[]?',
      ],
    },
  },
  freshdesk: {
    base: 'https://<secret.freshdesk_domain>.freshdesk.com/api/v2',
    auth: basic,
    resource: 'ticket',
    operation: 'create',
    operations: {
      ...records('ticket', '/tickets', 'ticketId'),
      ...records('contact', '/contacts', 'contactId'),
    },
  },
  intercom: {
    base: 'https://api.intercom.io',
    auth: bearer,
    resource: 'user',
    operation: 'create',
    operations: {
      'lead.create': ['post', '/contacts', `{role: "lead", email: <email>} + ${fields}`],
      'user.create': ['post', '/contacts', `{role: "user", email: <idValue|email>} + ${fields}`],
      'user.get': ['get', '/contacts/<value|id>'],
      'user.getAll': ['get', '/contacts', '', '.data[]?'],
    },
  },
  activeCampaign: {
    base: 'https://<secret.activecampaign_account>.api-us1.com/api/3',
    auth: '"Api-Token": SECRET',
    resource: 'contact',
    operation: 'create',
    operations: {
      'contact.create': ['post', '/contacts', `{contact: ({email: <email>} + ${fields})}`, '.contact'],
      'contact.get': ['get', '/contacts/<contactId>', '', '.contact'],
      'contact.getAll': ['get', '/contacts', '', '.contacts[]?'],
      'contactTag.add': ['post', '/contactTags', '{contactTag: {contact: <contactId>, tag: <tagId>}}'],
    },
  },
  sendInBlue: {
    base: 'https://api.brevo.com/v3',
    auth: '"api-key": SECRET',
    resource: 'email',
    operation: 'send',
    operations: {
      'contact.create': ['post', '/contacts', '{email: <email>}'],
      'contact.upsert': ['post', '/contacts', '{email: <email>, updateEnabled: true}'],
      'contact.get': ['get', '/contacts/<identifier>'],
      'contact.getAll': ['get', '/contacts', '', '.contacts[]?'],
      'email.send': [
        'post',
        '/smtp/email',
        '{sender: {email: <sender>}, to: [{email: <receipients|to>}], subject: <subject>, textContent: <textContent|htmlContent>}',
      ],
    },
  },
  sendGrid: {
    base: 'https://api.sendgrid.com/v3',
    auth: bearer,
    resource: 'mail',
    operation: 'send',
    operations: {
      'mail.send': [
        'post',
        '/mail/send',
        '{personalizations: [{to: ((<toEmail> | tostring) | split(",") | map({email: .}))}], from: {email: <fromEmail>, name: <fromName>}, subject: <subject>, content: [{type: (<contentType> // "text/plain"), value: <contentValue>}]}',
      ],
      'contact.upsert': ['put', '/marketing/contacts', `{contacts: [{email: <email>} + ${fields}]}`],
      'list.getAll': ['get', '/marketing/lists', '', '.result[]?'],
    },
  },
  mailgun: {
    base: 'https://api.mailgun.net/v3/<secret.mailgun_domain>',
    auth: '"Authorization": ("Basic " + ("api:" + SECRET | @base64)), "Content-Type": "application/x-www-form-urlencoded"',
    resource: 'message',
    operation: 'send',
    operations: {
      'message.send': [
        'post',
        '/messages',
        '("from=" + (<fromEmail> | tostring | @uri) + "&to=" + (<toEmail> | tostring | @uri) + "&subject=" + (<subject> | tostring | @uri) + "&text=" + (<text|html> | tostring | @uri))',
      ],
    },
  },
  lemlist: {
    base: 'https://api.lemlist.com/api',
    auth: '"Authorization": ("Basic " + (":" + SECRET | @base64))',
    resource: 'activity',
    operation: 'getAll',
    operations: {
      'activity.getAll': ['get', '/activities'],
      'campaign.getAll': ['get', '/campaigns'],
      'lead.create': ['post', '/campaigns/<campaignId>/leads/<email>', fields],
      'lead.get': ['get', '/leads/<email>'],
      'lead.delete': ['delete', '/campaigns/<campaignId>/leads/<email>'],
      'lead.unsubscribe': ['delete', '/campaigns/<campaignId>/leads/<email>'],
      'team.get': ['get', '/team'],
      'unsubscribe.add': ['post', '/unsubscribes/<email>'],
    },
  },
  phantombuster: {
    base: 'https://api.phantombuster.com/api/v2',
    auth: '"X-Phantombuster-Key": SECRET',
    resource: 'agent',
    operation: 'launch',
    operations: {
      'agent.launch': ['post', '/agents/launch', '{id: <agentId>}'],
      'agent.getOutput': ['get', '/agents/fetch-output?id=<agentId>'],
      'agent.get': ['get', '/agents/fetch?id=<agentId>'],
      'agent.getAll': ['get', '/agents/fetch-all'],
      'agent.delete': ['post', '/agents/delete', '{id: <agentId>}'],
    },
  },
  wise: {
    base: 'https://api.transferwise.com',
    auth: bearer,
    resource: 'account',
    operation: 'getBalances',
    operations: {
      'account.getBalances': ['get', '/v4/profiles/<profileId>/balances?types=STANDARD'],
      'quote.create': [
        'post',
        '/v3/profiles/<profileId>/quotes',
        '{sourceCurrency: <sourceCurrency>, targetCurrency: <targetCurrency>, sourceAmount: <amount>, targetAccount: <targetAccountId>}',
      ],
      'quote.get': ['get', '/v3/profiles/<profileId>/quotes/<quoteId>'],
      'transfer.create': [
        'post',
        '/v1/transfers',
        '{targetAccount: <targetAccountId>, quoteUuid: <quoteId>, customerTransactionId: $workflow.id, details: {}}',
      ],
      'transfer.execute': ['post', '/v3/profiles/<profileId>/transfers/<transferId>/payments', '{type: "BALANCE"}'],
      'transfer.get': ['get', '/v1/transfers/<transferId>'],
      'transfer.getAll': ['get', '/v1/transfers?profile=<profileId>'],
      'exchangeRate.get': ['get', '/v1/rates?source=<source>&target=<target>'],
      'profile.getAll': ['get', '/v1/profiles'],
    },
  },
}
