/** The official client's entry. */
import '@modelcontextprotocol/client';
