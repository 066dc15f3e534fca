import type { BuiltInConnector } from '#modules/connectors/functions/connector-source.ts'
import { discord } from './discord/manifest.ts'
import { gmail } from './gmail/manifest.ts'
import { microsoft365 } from './microsoft-365/manifest.ts'
import { sendgrid } from './sendgrid/manifest.ts'
import { slack } from './slack/manifest.ts'
import { telegram } from './telegram/manifest.ts'
import { twilio } from './twilio/manifest.ts'
import { whatsapp } from './whatsapp/manifest.ts'

/** Chats and messages. */
export const messagingConnectors: readonly BuiltInConnector[] = [
  { name: 'discord', manifest: discord },
  { name: 'gmail', manifest: gmail },
  { name: 'microsoft-365', manifest: microsoft365 },
  { name: 'sendgrid', manifest: sendgrid },
  { name: 'slack', manifest: slack },
  { name: 'telegram', manifest: telegram },
  { name: 'twilio', manifest: twilio },
  { name: 'whatsapp', manifest: whatsapp },
]
