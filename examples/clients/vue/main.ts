import { createFolio, createSession } from '@folio/client';
import { folioPlugin } from '@folio/client/vue';
import { createApp } from 'vue';
import App from './App.vue';

createApp(App)
  .use(folioPlugin, createFolio('/graphql', createSession('demo', 'demo-token')))
  .mount('#app');
