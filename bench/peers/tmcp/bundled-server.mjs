/** The stdio server, to be bundled. */
import './stdio-server.mjs';
