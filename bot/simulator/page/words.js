// The page's own words in its three languages, and dates in the business's local time.

const WORDS = {
  en: {
    tagline: "demo", chats: "Customers", add: "Add customer", language: "Language", empty: "No messages yet",
    online: "online", typing: "typing…", back: "Back to customers", panel: "Appointments and time", close: "Close",
    message: "Message", send: "Send", attach: "Attach", voice: "Voice note", image: "Photo", sticker: "Sticker",
    document: "Document", location: "Location", react: "React", reply: "Reply", noReaction: "Remove reaction",
    hint: "Write {word} to begin", today: "Today", yesterday: "Yesterday", you: "You", newMessages: "New messages",
    jumped: "Time jumped to {when}", undelivered: "A message from the business did not arrive ({code})",
    failed: "Not sent. Tap to try again", sending: "Sending", sent: "Sent", delivered: "Delivered", read: "Read",
    choose: "Tap to select an item", tapped: "tapped", name: "Name", cancel: "Cancel", create: "Add",
    newCustomer: "New customer", theirLanguage: "Writes in", replyingTo: "Replying to", stopReply: "Do not reply to it",
    time: "Time travel", timeHint: "The bot lives by this clock.", before24: "Just before the 24 h reminder",
    before2: "Just before the 2 h reminder", hour: "+1 h", day: "+1 day", appointments: "Appointments of {name}",
    none: "None yet", noneHint: "Book one in the chat: it shows up here.", with: "with {staff}", forWhom: "for {attendee}",
    reminder24: "24 h reminder", reminder2: "2 h reminder", network: "Network trouble", lose: "Lose the next answer",
    loseHint: "WhatsApp takes the message; the bot never hears so.", delay: "Delay answers by 5 s",
    delayHint: "Every send takes its time.", refusals: "Refused by WhatsApp", windowOpen: "24 h window open",
    windowClosed: "24 h window closed", story: "The story in one minute", step1: "Write {word} and book a time",
    step2: "Jump to just before a reminder", step3: "Tap {button} under the reminder", step4: "See CONFIRMED here", told: "That is the whole loop. Try Cancel, or another customer.",
    offline: "The demo does not answer. Trying again…", confirmWord: "Confirm", version: "moved {count}×",
  },
  es: {
    tagline: "demo", chats: "Clientes", add: "Agregar cliente", language: "Idioma", empty: "Sin mensajes",
    online: "en línea", typing: "escribiendo…", back: "Volver a los clientes", panel: "Citas y hora", close: "Cerrar",
    message: "Mensaje", send: "Enviar", attach: "Adjuntar", voice: "Nota de voz", image: "Foto", sticker: "Sticker",
    document: "Documento", location: "Ubicación", react: "Reaccionar", reply: "Responder", noReaction: "Quitar reacción",
    hint: "Escribe {word} para empezar", today: "Hoy", yesterday: "Ayer", you: "Tú", newMessages: "Mensajes nuevos",
    jumped: "El tiempo saltó a {when}", undelivered: "Un mensaje del negocio no llegó ({code})",
    failed: "No se envió. Toca para reintentar", sending: "Enviando", sent: "Enviado", delivered: "Entregado", read: "Leído",
    choose: "Toca para elegir una opción", tapped: "tocado", name: "Nombre", cancel: "Cancelar", create: "Agregar",
    newCustomer: "Cliente nuevo", theirLanguage: "Escribe en", replyingTo: "Respondiendo a", stopReply: "No responder a este",
    time: "Viaje en el tiempo", timeHint: "El bot vive según este reloj.", before24: "Justo antes del aviso de 24 h",
    before2: "Justo antes del aviso de 2 h", hour: "+1 h", day: "+1 día", appointments: "Citas de {name}",
    none: "Aún ninguna", noneHint: "Agenda una en el chat y aparecerá aquí.", with: "con {staff}", forWhom: "para {attendee}",
    reminder24: "Aviso de 24 h", reminder2: "Aviso de 2 h", network: "Fallas de red", lose: "Perder la próxima respuesta",
    loseHint: "WhatsApp toma el mensaje; el bot no se entera.", delay: "Demorar respuestas 5 s",
    delayHint: "Cada envío se toma su tiempo.", refusals: "Rechazado por WhatsApp", windowOpen: "Ventana de 24 h abierta",
    windowClosed: "Ventana de 24 h cerrada", story: "La historia en un minuto", step1: "Escribe {word} y agenda una hora",
    step2: "Salta a justo antes de un aviso", step3: "Toca {button} bajo el aviso", step4: "Mira aquí CONFIRMED", told: "Ese es todo el ciclo. Prueba cancelar, o con otro cliente.",
    offline: "La demo no responde. Reintentando…", confirmWord: "Confirmar", version: "movida {count}×",
  },
  pt: {
    tagline: "demo", chats: "Clientes", add: "Adicionar cliente", language: "Idioma", empty: "Sem mensagens",
    online: "online", typing: "digitando…", back: "Voltar aos clientes", panel: "Horários e relógio", close: "Fechar",
    message: "Mensagem", send: "Enviar", attach: "Anexar", voice: "Mensagem de voz", image: "Foto", sticker: "Figurinha",
    document: "Documento", location: "Localização", react: "Reagir", reply: "Responder", noReaction: "Remover reação",
    hint: "Escreva {word} para começar", today: "Hoje", yesterday: "Ontem", you: "Você", newMessages: "Mensagens novas",
    jumped: "O tempo saltou para {when}", undelivered: "Uma mensagem da empresa não chegou ({code})",
    failed: "Não enviada. Toque para tentar de novo", sending: "Enviando", sent: "Enviada", delivered: "Entregue", read: "Lida",
    choose: "Toque para escolher uma opção", tapped: "tocado", name: "Nome", cancel: "Cancelar", create: "Adicionar",
    newCustomer: "Novo cliente", theirLanguage: "Escreve em", replyingTo: "Respondendo a", stopReply: "Não responder a esta",
    time: "Viagem no tempo", timeHint: "O bot vive por este relógio.", before24: "Logo antes do lembrete de 24 h",
    before2: "Logo antes do lembrete de 2 h", hour: "+1 h", day: "+1 dia", appointments: "Horários de {name}",
    none: "Nenhum ainda", noneHint: "Marque um no chat e ele aparece aqui.", with: "com {staff}", forWhom: "para {attendee}",
    reminder24: "Lembrete de 24 h", reminder2: "Lembrete de 2 h", network: "Falhas de rede", lose: "Perder a próxima resposta",
    loseHint: "O WhatsApp aceita a mensagem; o bot não fica sabendo.", delay: "Atrasar respostas em 5 s",
    delayHint: "Cada envio leva o seu tempo.", refusals: "Recusado pelo WhatsApp", windowOpen: "Janela de 24 h aberta",
    windowClosed: "Janela de 24 h fechada", story: "A história em um minuto", step1: "Escreva {word} e marque um horário",
    step2: "Salte para logo antes de um lembrete", step3: "Toque em {button} no lembrete", step4: "Veja aqui CONFIRMED", told: "Esse é o ciclo todo. Tente cancelar, ou outro cliente.",
    offline: "A demo não responde. Tentando de novo…", confirmWord: "Confirmar", version: "movido {count}×",
  },
};

const STATES = {
  en: {
    due: "due {when}", queued: "queued", sending: "sending", unknown: "answer lost, waiting for a receipt",
    accepted: "accepted", sent: "sent", delivered: "delivered", read: "read", answered: "answered",
    failed: "failed", skipped: "skipped", quiet: "moved by quiet hours",
  },
  es: {
    due: "sale el {when}", queued: "en cola", sending: "enviándose", unknown: "respuesta perdida, espera un acuse",
    accepted: "aceptado", sent: "enviado", delivered: "entregado", read: "leído", answered: "respondido",
    failed: "falló", skipped: "omitido", quiet: "movido por horas de silencio",
  },
  pt: {
    due: "sai {when}", queued: "na fila", sending: "sendo enviado", unknown: "resposta perdida, aguarda recibo",
    accepted: "aceito", sent: "enviado", delivered: "entregue", read: "lido", answered: "respondido",
    failed: "falhou", skipped: "pulado", quiet: "movido pelo horário de silêncio",
  },
};

const REASONS = {
  en: {
    booked_late: "booked after its time", overtaken: "the nearer one goes", started: "already started",
    already_confirmed: "already confirmed", opted_out: "customer opted out", unreachable: "not reachable",
    cancelled: "cancelled", moved: "moved", template_paused: "template paused", account_stopped: "account stopped",
    outcome_unknown: "outcome unknown", window_closed: "window closed", quiet_hours: "quiet hours",
  },
  es: {
    booked_late: "se agendó después de su hora", overtaken: "va el más cercano", started: "ya empezó",
    already_confirmed: "ya confirmada", opted_out: "no quiere avisos", unreachable: "no se le puede escribir",
    cancelled: "cancelada", moved: "movida", template_paused: "plantilla en pausa", account_stopped: "cuenta detenida",
    outcome_unknown: "resultado desconocido", window_closed: "ventana cerrada", quiet_hours: "horas de silencio",
  },
  pt: {
    booked_late: "marcado depois da hora", overtaken: "vai o mais próximo", started: "já começou",
    already_confirmed: "já confirmado", opted_out: "não quer avisos", unreachable: "sem contato",
    cancelled: "cancelado", moved: "movido", template_paused: "modelo pausado", account_stopped: "conta parada",
    outcome_unknown: "resultado desconhecido", window_closed: "janela fechada", quiet_hours: "horário de silêncio",
  },
};

export const LANGUAGES = { es: "Español", pt: "Português", en: "English" };
export const HELLO = { es: "hola", pt: "oi", en: "hi" };
const LOCALES = { es: "es-MX", pt: "pt-BR", en: "en-US" };

let chosen = pick();

function pick() {
  const wished = [stored(), ...(navigator.languages ?? [])].map((one) => (one ?? "").slice(0, 2));
  return wished.find((one) => one in WORDS) ?? "en";
}

function stored() {
  try {
    return localStorage.getItem("language");
  } catch {
    return null; // storage may be switched off
  }
}

export const language = () => chosen;

export function speak(one) {
  chosen = one;
  try {
    localStorage.setItem("language", one);
  } catch {
    // it then lasts as long as the page
  }
}

export function say(key, values = {}, inLanguage = chosen) {
  return fill((WORDS[inLanguage] ?? WORDS.en)[key], values);
}

export const stateWord = (state, values = {}) => fill(STATES[chosen][state] ?? state, values);
export const reasonWord = (reason) => REASONS[chosen][reason] ?? reason;

function fill(line, values) {
  return line.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}

const FORMATS = new Map();

function format(options, zone, at) {
  const key = JSON.stringify([chosen, zone, options]);
  if (!FORMATS.has(key)) FORMATS.set(key, new Intl.DateTimeFormat(LOCALES[chosen], { ...options, timeZone: zone }));
  return FORMATS.get(key).format(at).replace(/[\u202f\u00a0]/g, " ");
}

const hours = () => ({ hour: chosen === "en" ? "numeric" : "2-digit", minute: "2-digit", hour12: chosen === "en" });

export const clockTime = (at, zone) => format(hours(), zone, at);
export const clockSeconds = (at, zone) => format({ ...hours(), second: "2-digit" }, zone, at);
// As the bot writes it in Spanish and Portuguese: "mar 1 dic", without the "de" and the comma of the locale.
export const shortDay = (at, zone) => {
  const day = format({ weekday: "short", day: "numeric", month: "short" }, zone, at).replace(/\./g, "");
  return chosen === "en" ? day : day.replace(/,| de(?= )/g, "");
};
export const longDay = (at, zone) => format({ weekday: "long", day: "numeric", month: "long" }, zone, at);
export const when = (at, zone) => `${shortDay(at, zone)}, ${clockTime(at, zone)}`;
export const dayKey = (at, zone) =>
  new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(at);
