/** What people need to know for a connection to a service, beyond what its manifest says. */
export interface AccessHint {
  /** The page of the service, or of its documentation, where a person gets the credentials. */
  readonly keyUrl: string
  /** What a test requests: a request that only valid credentials may make. */
  readonly testPath?: string
  /** Of a service that a person consents at. */
  readonly consent?: { readonly authorizationUrl: string; readonly tokenUrl: string; readonly scopes: readonly string[] }
}

const google = (scope: string) => ({
  keyUrl: 'https://console.cloud.google.com/apis/credentials',
  consent: {
    // Without these two Google gives no token that can be renewed.
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth?access_type=offline&prompt=consent',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    scopes: [`https://www.googleapis.com/auth/${scope}`],
  },
})

/** By the name of the connector. */
export const accessHints: Readonly<Record<string, AccessHint>> = {
  airtable: { keyUrl: 'https://airtable.com/create/tokens', testPath: '/v0/meta/whoami' },
  anthropic: { keyUrl: 'https://console.anthropic.com/settings/keys', testPath: '/v1/models' },
  asana: { keyUrl: 'https://app.asana.com/0/my-apps', testPath: '/api/1.0/users/me' },
  discord: { keyUrl: 'https://discord.com/developers/applications', testPath: '/users/@me' },
  github: { keyUrl: 'https://github.com/settings/tokens', testPath: '/user' },
  gitlab: { keyUrl: 'https://gitlab.com/-/user_settings/personal_access_tokens', testPath: '/api/v4/user' },
  gmail: { ...google('gmail.modify'), testPath: '/gmail/v1/users/me/profile' },
  'google-calendar': { ...google('calendar'), testPath: '/calendar/v3/users/me/calendarList' },
  'google-drive': { ...google('drive'), testPath: '/drive/v3/about?fields=user' },
  'google-sheets': google('spreadsheets'),
  hubspot: { keyUrl: 'https://developers.hubspot.com/docs', testPath: '/crm/v3/objects/contacts?limit=1' },
  jira: { keyUrl: 'https://id.atlassian.com/manage-profile/security/api-tokens', testPath: '/rest/api/2/myself' },
  'microsoft-365': {
    keyUrl: 'https://entra.microsoft.com',
    testPath: '/me',
    consent: {
      authorizationUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/authorize',
      tokenUrl: 'https://login.microsoftonline.com/common/oauth2/v2.0/token',
      scopes: [
        'offline_access',
        'User.Read',
        'Mail.ReadWrite',
        'Mail.Send',
        'Calendars.ReadWrite',
        'Files.ReadWrite',
        'ChannelMessage.Send',
      ],
    },
  },
  notion: { keyUrl: 'https://www.notion.so/profile/integrations', testPath: '/v1/users/me' },
  openai: { keyUrl: 'https://platform.openai.com/api-keys', testPath: '/models' },
  sendgrid: { keyUrl: 'https://app.sendgrid.com/settings/api_keys', testPath: '/v3/scopes' },
  shopify: { keyUrl: 'https://admin.shopify.com', testPath: '/admin/api/2025-01/shop.json' },
  slack: { keyUrl: 'https://api.slack.com/apps', testPath: '/auth.test' },
  stripe: { keyUrl: 'https://dashboard.stripe.com/apikeys', testPath: '/v1/balance' },
  telegram: { keyUrl: 'https://t.me/BotFather', testPath: '/getMe' },
  todoist: { keyUrl: 'https://app.todoist.com/app/settings/integrations/developer', testPath: '/projects' },
  trello: { keyUrl: 'https://trello.com/power-ups/admin', testPath: '/members/me' },
  twilio: { keyUrl: 'https://console.twilio.com' },
  whatsapp: { keyUrl: 'https://developers.facebook.com/apps' },
  zendesk: { keyUrl: 'https://developer.zendesk.com/api-reference/introduction/security-and-auth', testPath: '/api/v2/users/me.json' },
}
