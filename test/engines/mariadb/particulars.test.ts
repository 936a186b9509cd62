import { particulars } from "../mysql/particulars.ts";

particulars("mariadb");
