import { localeOf, tableOf, wordsOf } from '../words/language.js';

/** The texts of the page around the lists, in the languages of the element. */
export const tables = {
  en: {
    lists: 'Lists', back: 'All lists', choose: 'Choose a list.', none: 'This server has no lists yet.',
    asOf: 'Offline · lists as of #', unread: 'The lists could not be read (#).',
    unreachable: 'The server can’t be reached. Trying again…',
  },
  de: {
    lists: 'Listen', back: 'Alle Listen', choose: 'Wähle eine Liste.', none: 'Dieser Server hat noch keine Listen.',
    asOf: 'Offline · Listen: #', unread: 'Die Listen konnten nicht gelesen werden (#).',
    unreachable: 'Der Server ist nicht erreichbar. Neuer Versuch läuft …',
  },
  fr: {
    lists: 'Listes', back: 'Toutes les listes', choose: 'Choisissez une liste.', none: 'Ce serveur n’a pas encore de liste.',
    asOf: 'Hors ligne · listes : #', unread: 'Impossible de lire les listes (#).',
    unreachable: 'Le serveur est injoignable. Nouvelle tentative…',
  },
  es: {
    lists: 'Listas', back: 'Todas las listas', choose: 'Elige una lista.', none: 'Este servidor aún no tiene listas.',
    asOf: 'Sin conexión · listas: #', unread: 'No se pudieron leer las listas (#).',
    unreachable: 'No se pudo conectar con el servidor. Reintentando…',
  },
  ja: {
    lists: 'リスト', back: 'すべてのリスト', choose: 'リストを選んでください。', none: 'このサーバーにはまだリストがありません。',
    asOf: 'オフライン・リスト：#', unread: 'リストを読み込めませんでした（#）。',
    unreachable: 'サーバーに接続できません。再試行しています…',
  },
  zh: {
    lists: '列表', back: '所有列表', choose: '请选择列表。', none: '此服务器还没有列表。',
    asOf: '已离线 · 列表更新于#', unread: '无法读取列表（#）。',
    unreachable: '无法连接服务器。正在重试…',
  },
  hant: {
    lists: '列表', back: '所有列表', choose: '請選擇列表。', none: '此伺服器還沒有列表。',
    asOf: '已離線 · 列表更新於#', unread: '無法讀取列表（#）。',
    unreachable: '無法連線伺服器。正在重試…',
  },
  ar: {
    lists: 'القوائم', back: 'كل القوائم', choose: 'اختر قائمة.', none: 'لا توجد قوائم على هذا الخادم بعد.',
    asOf: 'غير متصل · القوائم: #', unread: 'تعذّرت قراءة القوائم (#).',
    unreachable: 'تعذّر الوصول إلى الخادم. جارٍ إعادة المحاولة…',
  },
};

/** Lets a page speak the browser's language. @returns {Promise<object>} its words, and those of the lists */
export async function translate({ documentElement }) {
  documentElement.lang = '';
  const locale = localeOf(documentElement);
  const words = { ...(await wordsOf(locale)), ...tableOf(locale, tables) };
  documentElement.lang = locale;
  documentElement.dir = locale.startsWith('ar') ? 'rtl' : 'ltr';
  return words;
}
